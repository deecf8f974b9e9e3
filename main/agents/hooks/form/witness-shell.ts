import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeWholeFile } from '../../../store/files/whole-file.ts';
import type { HookFolders } from './folders.ts';
import { shellWord } from './shell-word.ts';

/** The script; build/bundler/shell-text.ts puts the text in the place of this call. */
const template = readFileSync(new URL('./witness-shell.sh', import.meta.url), 'utf8');

/** What tool shells source, while it is there. */
export const witnessScript = ({ witnessed }: Pick<HookFolders, 'witnessed'>): string => join(witnessed, 'shell.sh');

/** Where tool shells note themselves. */
export const shellNotesFile = ({ witnessed }: Pick<HookFolders, 'witnessed'>): string => join(witnessed, 'shells');

/** The line by which a tool shell sources the script; it succeeds also where there is none. */
export const witnessLine = (folders: Pick<HookFolders, 'witnessed'>): string => {
  const script = shellWord(witnessScript(folders));
  return `[ -r ${script} ] && . ${script} || true`;
};

/**
 * Puts the script in place, for sessions that begin from now on. Throws the file system's error.
 */
export const writeWitnessScript = (folders: HookFolders): void => {
  mkdirSync(folders.witnessed, { recursive: true, mode: 0o700 });
  const text = template
    .replaceAll(/^ *# shellcheck .*\n/gmu, '')
    .replaceAll('@NOTES@', () => shellWord(shellNotesFile(folders)));
  writeWholeFile(witnessScript(folders), text);
  writeWholeFile(shellNotesFile(folders), '');
};

/** Takes the script and all notes away. */
export const removeWitnessScript = ({ witnessed }: HookFolders): void =>
  rmSync(witnessed, { recursive: true, force: true });
