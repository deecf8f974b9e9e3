/** The status of a shell that was told to end: 128 + TERM. */
const endedStatus = 143;

interface Below {
  /** Whether it may start programs. The limit of processes refuses that to all but root. */
  readonly startsPrograms: boolean;
}

/**
 * Returns a command below a shell, which alone is waited for: a file of a sandbox's file system can
 * keep a program from ending, by KILL too. End it by TERM. On Windows the command itself.
 */
export const belowShell = (
  command: readonly [string, ...string[]],
  { startsPrograms }: Below,
): readonly [string, ...string[]] => {
  if (process.platform === 'win32') return command;
  const limit = startsPrograms ? '' : '{ ulimit -u 0 || ulimit -p 0; } 2>/dev/null; ';
  const text = `trap 'kill -KILL "$child"; exit ${endedStatus}' TERM INT HUP; (${limit}exec "$@") & child=$!; wait "$child"`;
  return ['/bin/sh', '-c', text, 'sh', ...command];
};
