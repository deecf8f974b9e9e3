import { spawnSync } from 'node:child_process';

/** What came of a program that was run to its end. */
export interface ProgramResult {
  /** Exit status; null when it was not found, could not be started, took too long or was ended by a signal. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Why there is no status, for people; null when there is one. */
  readonly problem: string | null;
}

/** How a program is run. */
export interface ProgramOrder {
  readonly command: readonly [string, ...string[]];
  readonly input?: string;
  /** All of its environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** It is killed after so long, milliseconds. */
  readonly timeoutMs: number;
  /** More output than so many bytes is a problem; a mebibyte if left out. */
  readonly maxBytes?: number;
}

/** Runs a program of the system to its end, bounded in time and output. Never throws for what the program does. */
export const runBounded = ({ command, input, environment, timeoutMs, maxBytes }: ProgramOrder): ProgramResult => {
  const [file, ...args] = command;
  const result = spawnSync(file, args, {
    input: input ?? '',
    env: { ...environment },
    encoding: 'utf8',
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: maxBytes ?? 1024 * 1024,
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
