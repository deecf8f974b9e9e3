import { execFileSync } from 'node:child_process';
import { ProcessTableUnreadable } from '../../processes/source.ts';
import { noWindow } from '../../programs/child-window.ts';

/** Timeout of a helper program in ms; the scan fails after it. */
const timeoutMs = 10_000;
const maxOutputBytes = 256 * 1_024 * 1_024;

/**
 * How a program is run that prints facts about processes: in the C locale and UTC, so that the
 * output has one form, without the rest of our environment, and not for long.
 */
export const queryOptions = {
  env: { PATH: '/bin:/usr/bin:/sbin:/usr/sbin', LC_ALL: 'C', TZ: 'UTC' },
  maxBuffer: maxOutputBytes,
  timeout: timeoutMs,
  killSignal: 'SIGKILL',
} as const;

const outputOf = (error: unknown): string | null =>
  error instanceof Error &&
  'status' in error &&
  error.status === 1 &&
  'stdout' in error &&
  typeof error.stdout === 'string'
    ? error.stdout
    : null;

/**
 * Runs a program that prints facts about processes and returns its output. ps exits with 1 when a
 * process is gone, which is an answer too.
 * @throws ProcessTableUnreadable when the program can't be run, fails otherwise or takes longer
 * than 10 seconds
 */
export const runQuery = (command: string, args: readonly string[]): string => {
  try {
    return execFileSync(command, args, {
      ...queryOptions,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      ...noWindow,
    });
  } catch (error) {
    const output = outputOf(error);
    if (output !== null) return output;
    const reason = error instanceof Error ? error.message.split('\n', 1).join('') : String(error);
    throw new ProcessTableUnreadable(`${command} did not answer: ${reason}. Nothing is concluded from this look.`, {
      cause: error,
    });
  }
};

const columnsOption = (columns: readonly string[]): readonly string[] => [
  '-ww',
  '-o',
  columns.map((column) => `${column}=`).join(','),
];

/** Returns the arguments of ps for these columns of all processes, one line each, no header. */
export const ofAll = (columns: readonly string[]): readonly string[] => ['-ax', ...columnsOption(columns)];

/** Returns the arguments of ps for these columns of one process; it prints nothing once gone. */
export const ofOne = (pid: number, columns: readonly string[]): readonly string[] => [
  ...columnsOption(columns),
  '-p',
  String(pid),
];
