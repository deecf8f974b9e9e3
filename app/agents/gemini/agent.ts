import type { MarkerEnvironment } from '../../process/facts.ts';
import type { LeftForm } from '../../sweep/left-form.ts';
import { commandShell } from '../common/command-shell.ts';
import { type AgentDossier, noRecords } from '../common/dossier.ts';
import { isProgram } from '../common/program-name.ts';
import type { ServerForm } from '../common/server-form.ts';
import {
  type AgentSignature,
  type MarkerMatch,
  type OutputMatch,
  type ShellMatch,
  noParts,
} from '../common/signature.ts';

/** Servers of Gemini CLI 0.61: they carry what its commands carry, and no pid (observed). */
const geminiServers: ServerForm = {
  rule: 'gemini-server',
  mark: (environment) =>
    environment['GEMINI_CLI'] === '1'
      ? { rule: 'gemini-server', role: 'shared', ownerPid: null, session: null, project: null }
      : null,
};

/*
 * Gemini CLI puts a command between a head and a tail that note the processes it left in the
 * background. 0.61 (observed):
 *
 * shopt -u promptvars …; _bgpids_file=/tmp/gemini-shell-XXXXXX/bgpids.tmp ( trap 'jobs -p >
 * "$_bgpids_file"' EXIT <command> ) __code=$? exit $__code
 *
 * Earlier ones, and Qwen Code which came from them, wrote `{ <command>; }; __code=$?; pgrep -g 0
 * >/tmp/shell_pgrep_….tmp 2>&1; exit $__code;` (https://github.com/google-gemini/gemini-cli,
 * packages/core/src/tools/shell.ts).
 */
const firstLine = /^(?:shopt -u promptvars .*)?_bgpids_file=\S*\/gemini-shell-[^\s/]+\/bgpids\.tmp$/;
const afterFirstLine =
  /^\(\n\s*trap 'jobs -p > "\$_bgpids_file"' EXIT\n(?<command>[^]*)\n\)\n__code=\$\?\nexit \$__code\s*$/;
const endBefore = /^; __code=\$\?; pgrep -[gP] [^\s>]+ ?> ?\S*shell_pgrep_[0-9a-f]+\.tmp 2>&1; exit \$__code;?\s*$/;

/** What stands around a command is short. A longer text is made to be slow to take apart. */
const maxAround = 2048;

const wrapped = (script: string): string | null => {
  const lineEnd = script.indexOf('\n');
  if (lineEnd === -1 || lineEnd > maxAround || !firstLine.test(script.slice(0, lineEnd))) return null;
  return afterFirstLine.exec(script.slice(lineEnd + 1))?.groups?.['command'] ?? null;
};

const wrappedBefore = (script: string): string | null => {
  const front = script.slice(0, maxAround).split('\n', 1)[0] ?? '';
  const group = script.startsWith('{ ') ? 0 : script.startsWith('shopt -u promptvars ') ? front.indexOf('; { ') + 2 : 1;
  if (group === 1) return null;
  const close = script.lastIndexOf(' }; __code=$?; pgrep -');
  const end = script.slice(close + ' }'.length);
  if (close < group + '{ '.length || end.length > maxAround || !endBefore.test(end)) return null;
  return script.slice(group + '{ '.length, close).replace(/;$/, '');
};

const shell = (argv: readonly string[]): ShellMatch | null => {
  const found = commandShell(argv);
  if (found === null) return null;
  const command = wrapped(found.script) ?? wrappedBefore(found.script);
  return command === null ? null : { rule: 'gemini-shell', command, project: null };
};

/** GEMINI_CLI=1 is on every command and names neither session nor process (observed on 0.61). */
const marker = (environment: MarkerEnvironment): MarkerMatch | null =>
  environment['GEMINI_CLI'] === '1'
    ? { kind: 'tool', rule: 'gemini-marker', session: null, ownerPid: null, project: null }
    : null;

/** `~/.gemini/tmp/background-processes/background-<process group>.log`. */
const output = (path: string): OutputMatch | null => {
  const task = /\/\.gemini\/tmp\/background-processes\/background-(\d{1,7})\.log$/.exec(path)?.[1];
  return task === undefined ? null : { session: null, task, projectSlug: null };
};

/** Gemini CLI 0.61 runs itself again: a session is two processes; the inner outlives the outer. */
const geminiSignature: AgentSignature = {
  ...noParts,
  id: 'gemini',
  name: 'Gemini CLI',
  environmentNames: ['GEMINI_CLI_HOME', 'GEMINI_CLI'],
  program: (row) => isProgram({ names: ['gemini'], paths: ['/@google/gemini-cli/'] }, row),
  shell,
  marker,
  output,
  callFile: /^gemini-shell-[A-Za-z0-9]{6}$/,
  toolShells: 'child-session',
};

/** What Gemini CLI leaves (observed on 0.61): the folder in which a command noted its jobs. */
const geminiLeftFiles: readonly LeftForm[] = [
  {
    may: 'remove',
    kind: 'scratch-file',
    place: 'temporary',
    path: [/^gemini-shell-[A-Za-z0-9]{6}$/, 'bgpids.tmp'],
    dead: { ended: 'agent' },
    emptied: 1,
  },
  { may: 'never', heap: 'transcripts', place: 'home', path: ['.gemini', 'tmp'] },
];

export const gemini: AgentDossier = {
  ...noRecords,
  signature: geminiSignature,
  names: {
    short: 'gemini',
    command: 'gemini',
    others: ['gemini-cli', 'google-gemini'],
    // Drawn for Curfew: two pillars.
    glyph: 'M4 2.5v11M12 2.5v11M2.5 4h11M2.5 12h11',
    containedAs: /(?:^|[^a-z])gemini(?:$|[^a-z])/,
    // `--resume` takes `latest` or an index and no id (0.61.0, `gemini --help`).
    resume: 'none',
  },
  leftFiles: geminiLeftFiles,
  servers: geminiServers,
};
