import { execFileSync } from 'node:child_process';
import { ProcessTableUnreadable } from '../processes/source.ts';

/** How long a helper program may take, in milliseconds, before the look is given up. */
const timeoutMs = 10_000;
const maxOutputBytes = 256 * 1_024 * 1_024;

const outputOf = (error: unknown): string | null =>
  error instanceof Error &&
  'status' in error &&
  error.status === 1 &&
  'stdout' in error &&
  typeof error.stdout === 'string'
    ? error.stdout
    : null;

/**
 * Runs a program that prints facts about processes, in the C locale and in UTC so that its output has one form, with nothing else of our
 * environment. Returns what it printed. ps and lsof end with 1 when a process they were asked about is gone; that is an answer, too.
 * Throws ProcessTableUnreadable when the program can't be run, fails otherwise or takes longer than 10 seconds.
 */
export const runQuery = (command: string, args: readonly string[]): string => {
  try {
    return execFileSync(command, args, {
      encoding: 'utf8',
      env: { PATH: '/bin:/usr/bin:/sbin:/usr/sbin', LC_ALL: 'C', TZ: 'UTC' },
      maxBuffer: maxOutputBytes,
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
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

/** The given columns of all processes, a line each, without a header. */
export const psOfAll = (columns: readonly string[]): string => runQuery('ps', ['-ax', ...columnsOption(columns)]);

/** The given columns of one process; empty when there is none. */
export const psOf = (pid: number, columns: readonly string[]): string =>
  runQuery('ps', [...columnsOption(columns), '-p', String(pid)]);
