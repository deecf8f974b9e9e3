import { spawnSync } from 'node:child_process';
import { noWindow } from './child-window.ts';

export interface ProgramResult {
  /**
   * Exit status; null if it was not found, could not be started, timed out or was ended by a
   * signal.
   */
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
  /** Upper bound of its output in bytes; more is a problem. Default: one mebibyte. */
  readonly maxBytes?: number;
}

/**
 * Runs a system program to its end, bounded in time and output. Never throws for a failure of the
 * program.
 */
export const runBounded = ({ command, input, environment, timeoutMs, maxBytes }: ProgramOrder): ProgramResult => {
  const [file, ...args] = command;
  const result = spawnSync(file, args, {
    input: input ?? '',
    env: { ...environment },
    encoding: 'utf8',
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: maxBytes ?? 1024 * 1024,
    ...noWindow,
  });
  const { status, stdout, stderr, error, signal } = result;
  const code = error !== undefined && 'code' in error ? error.code : null;
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
