import { codeOf } from '../../../app/format/error-message.ts';
import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Said } from '../../../app/format/said.ts';
import { joined, say } from '../../../app/text/say.ts';
import { noWindow, notFromHere } from './child-window.ts';
import { findProgram } from './find-program.ts';

export interface OwnProcess {
  /** Electron's binary is no Node: it starts another app, and fuses keep it from acting as Node. */
  readonly isElectron: boolean;
  /** $PATH, which is shorter in desktops than in shells. */
  readonly path: string | undefined;
}

const here = (): OwnProcess => ({ isElectron: 'electron' in process.versions, path: process.env['PATH'] });

const nodeOn = (path: string | undefined): string | null => {
  const found = findProgram('node', path);
  return 'file' in found ? realpathSync(found.file) : null;
};

/**
 * Returns how other programs start the command line: with this very Node (version managers link
 * Node for the life of a terminal), or, inside the desktop app, with the Node on its path. If
 * `whyNoCommandLine` has an answer, this names what is missing.
 * @throws the file system's error when the command line's own file was deleted; never inside the
 * app
 */
export const ownCommand = (commandLine: string, { isElectron, path }: OwnProcess = here()): [string, string] => {
  if (!isElectron) return [realpathSync(process.execPath), realpathSync(commandLine)];
  return [nodeOn(path) ?? 'node', existsSync(commandLine) ? realpathSync(commandLine) : commandLine];
};

/** Returns why others can't start the command line, and what to do; null if they can. */
export const whyNoCommandLine = (commandLine: string, { isElectron, path }: OwnProcess = here()): Said | null => {
  if (!isElectron || (nodeOn(path) !== null && existsSync(commandLine))) return null;
  return joined(
    say('The app did not find Node or the command line on its path, and both are needed.'),
    say('With the command line installed, do it in a terminal.'),
  );
};

/**
 * Where npm installs the command line on Windows, from a folder of the path: there it puts batch
 * files and a script for sh that start it, and no link (https://github.com/npm/cmd-shim).
 */
const besideBatchFile = 'node_modules/curfew/build/out/cli/curfew.js';

const installedByNpm = (path: string | undefined): string | undefined =>
  (path ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && existsSync(join(folder, 'curfew.cmd')))
    .map((folder) => join(folder, besideBatchFile))
    .find((file) => existsSync(file));

/**
 * Returns the file of the installed command line: the given one if it exists, else the `curfew` on
 * the path, else the given one, which is missing.
 * @param platform the system on which it was installed; for tests
 */
export const commandLineFile = (
  built: string,
  path: string | undefined,
  platform: NodeJS.Platform = process.platform,
): string => {
  if (existsSync(built)) return built;
  if (platform === 'win32') return installedByNpm(path) ?? built;
  const found = findProgram('curfew', path);
  return 'file' in found ? realpathSync(found.file) : built;
};

export interface ProgramResult {
  /** Exit status; null: not found, not startable, timed out or ended by a signal. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Why there is no status, for people; null when there is one. */
  readonly problem: string | null;
}

export interface ProgramOrder {
  readonly command: readonly [string, ...string[]];
  readonly input?: string;
  /** Its whole environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Milliseconds after which it is killed. */
  readonly timeoutMs: number;
  /** What it is sent when its time is over. Default: KILL. */
  readonly endSignal?: NodeJS.Signals;
  /** Upper bound of its output in bytes; more is a problem. Default: one mebibyte. */
  readonly maxBytes?: number;
}

/** Runs a system program to its end, bounded in time and output. Never throws if it fails. */
export const runBounded = ({
  command,
  input,
  environment,
  timeoutMs,
  maxBytes,
  endSignal = 'SIGKILL',
}: ProgramOrder): ProgramResult => {
  const [file, ...args] = command;
  const result = spawnSync(file, args, {
    input: input ?? '',
    env: { ...environment },
    encoding: 'utf8',
    timeout: timeoutMs,
    killSignal: endSignal,
    maxBuffer: maxBytes ?? 1024 * 1024,
    ...noWindow,
    ...notFromHere(file),
  });
  const { status, stdout, stderr, error, signal } = result;
  const code = codeOf(error);
  const problem =
    code === 'ENOENT'
      ? `${file} is not on this machine`
      : code === 'ETIMEDOUT'
        ? `${file} gave no answer in ${timeoutMs / 1000} s`
        : error !== undefined
          ? `${file}: ${error.message}`
          : signal !== null
            ? `${file} was ended by ${signal}`
            : null;
  return { status: problem === null ? status : null, stdout: stdout ?? '', stderr: stderr ?? '', problem };
};
