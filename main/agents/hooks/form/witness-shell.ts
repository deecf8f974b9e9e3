import { closeSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { answers } from '../../../../app/agents/answers.ts';
import type { AgentId } from '../../../../app/agents/common/agent-id.ts';
import type { HookForm } from '../../../../app/agents/common/hook-form.ts';
import { openRegularFile } from '../../../os/files/own-file.ts';
import { writeWholeFile } from '../../../store/files/whole-file.ts';
import type { HookFolders } from './folders.ts';
import { shellWord } from './hook-program.ts';

/** The script; build/bundler/shell-text.ts puts the text in the place of this call. */
const template = readFileSync(new URL('./witness-shell.sh', import.meta.url), 'utf8');

type Folders = Pick<HookFolders, 'witnessed'>;

const notesName = 'shells';

/** What `--witness` lets an agent's hooks do, see `HookForm`. */
export const witnessOf = (agent: AgentId): HookForm['witness'] => {
  const { hooks } = answers[agent];
  return hooks === 'none' ? 'none' : hooks.witness;
};

/** What the line before each command sources. */
export const lineScript = ({ witnessed }: Folders): string => join(witnessed, 'shell.sh');

/** An agent's witness: the script its tool shells source, or an empty file for its hooks. */
export const witnessFile = (folders: Folders, agent: AgentId): string => {
  const kind = witnessOf(agent);
  return kind === 'line' ? lineScript(folders) : join(folders.witnessed, kind === 'bash-env' ? 'bash-env.sh' : agent);
};

/** Where tool shells are noted. */
export const shellNotesFile = ({ witnessed }: Folders): string => join(witnessed, notesName);

/** The line before a command: it succeeds also where there is no script. */
export const witnessLine = (folders: Folders): string => {
  const script = shellWord(lineScript(folders));
  return `[ -r ${script} ] && . ${script} || true`;
};

/** Returns whether an agent's tool calls are noted. */
export const isNoted = (folders: Folders, agent: AgentId): boolean => existsSync(witnessFile(folders, agent));

/** Installs what notes tool calls of new sessions. Throws the file system's error. */
export const writeWitness = (folders: HookFolders, agent: AgentId): void => {
  mkdirSync(folders.witnessed, { recursive: true, mode: 0o700 });
  const script = template
    .replaceAll(/^ *# shellcheck .*\n/gmu, '')
    .replaceAll('@NOTES@', () => shellWord(shellNotesFile(folders)));
  const texts: Readonly<Record<HookForm['witness'], string>> = {
    line: script,
    // For tool shells alone, and not for what they start.
    'bash-env': `unset BASH_ENV\n${script}`,
    children: '',
    none: '',
  };
  writeWholeFile(witnessFile(folders, agent), texts[witnessOf(agent)]);
  const { O_WRONLY, O_APPEND, O_CREAT } = constants;
  closeSync(openRegularFile(shellNotesFile(folders), O_WRONLY | O_APPEND | O_CREAT, 0o600));
};

/** Takes an agent's part away, and with the last one all notes. */
export const removeWitness = (folders: HookFolders, agent: AgentId): void => {
  const { witnessed } = folders;
  rmSync(witnessFile(folders, agent), { force: true });
  if (existsSync(witnessed) && readdirSync(witnessed).every((name) => name === notesName))
    rmSync(witnessed, { recursive: true, force: true });
};
