import { existsSync, realpathSync } from 'node:fs';
import { findProgram } from './find-program.ts';

/** What Curfew runs in. */
export interface OwnProcess {
  /** Electron's program is no Node: what is started with it is another app, and its fuses keep it from acting as one. */
  readonly isElectron: boolean;
  /** $PATH, which desktops set more sparsely than shells do. */
  readonly path: string | undefined;
}

const here = (): OwnProcess => ({ isElectron: 'electron' in process.versions, path: process.env['PATH'] });

const nodeOn = (path: string | undefined): string | null => {
  const found = findProgram('node', path);
  return 'file' in found ? realpathSync(found.file) : null;
};

/**
 * How others start the command line: by this very Node (version managers put Node behind a link that lives as long as a terminal), or,
 * asked inside of the desktop app, by the Node on its path. Where `whyNoCommandLine` has an answer, this names what is missing.
 * @throws the file system's error when the command line's own file was deleted meanwhile; never inside of the app
 */
export const ownCommand = (commandLine: string, { isElectron, path }: OwnProcess = here()): [string, string] => {
  if (!isElectron) return [realpathSync(process.execPath), realpathSync(commandLine)];
  return [nodeOn(path) ?? 'node', existsSync(commandLine) ? realpathSync(commandLine) : commandLine];
};

/** Why others can't start the command line from what is known here, with what to do; null: they can. */
export const whyNoCommandLine = (commandLine: string, { isElectron, path }: OwnProcess = here()): string | null => {
  if (!isElectron || (nodeOn(path) !== null && existsSync(commandLine))) return null;
  return 'The app did not find Node or the command line on its path, and both are needed. With the command line installed, do it in a terminal.';
};

/** The file of the installed command line: the one given, if it is there, else the `curfew` on the path; else the one given, which is missing. */
export const commandLineFile = (built: string, path: string | undefined): string => {
  if (existsSync(built)) return built;
  const found = findProgram('curfew', path);
  return 'file' in found ? realpathSync(found.file) : built;
};
