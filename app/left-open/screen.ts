/** A session of GNU screen, as `screen -ls` tells it. */
export interface ScreenSession {
  /** Its process, which alone keeps it. */
  readonly pid: number;
  readonly name: string;
  readonly detached: boolean;
}

/** `	3.watcher	(11/22/26 21:50:46)	(Detached)`; the moment is left out by some versions. */
const line = /^\t(?<pid>\d+)\.(?<name>.+?)(?:\t\([^()]*\))*\t\((?<state>[^()]*)\)$/u;

/** Parses the list; what is not understood is no session. */
export const screenSessionsIn = (text: string): readonly ScreenSession[] =>
  text.split('\n').flatMap((one) => {
    const { pid, name, state } = line.exec(one)?.groups ?? {};
    if (pid === undefined || name === undefined) return [];
    return [{ pid: Number(pid), name, detached: state === 'Detached' }];
  });

/** True where its own command line says that it began without a client (`-dm`, `-Dm`, `-d -m`). */
export const beganDetached = (argv: readonly string[]): boolean => {
  const flags = new Set<string>();
  for (const argument of argv.slice(1)) {
    if (!/^-[a-zA-Z]+$/u.test(argument)) continue;
    for (const letter of argument.slice(1)) flags.add(letter);
    // What follows names the session or is the command.
    if (argument.includes('S')) break;
  }
  return flags.has('m') && (flags.has('d') || flags.has('D'));
};

/**
 * Times of a screen's socket, wall clock in milliseconds. `bornMs` 0: the file system keeps none.
 */
export interface SocketTimes {
  readonly bornMs: number;
  readonly changedMs: number;
}

/** Between the start of a screen and its socket, and between that and its first mode. */
const beginningMs = 3000;

/**
 * True where a client may have been attached since: screen gives its socket another mode with every
 * client that comes or goes (chsock in its socket.c, observed with 4.9), which the file system
 * notes. Where a clock was set meanwhile the times say nothing, which counts as well.
 */
export const mayHaveBeenAttached = ({ bornMs, changedMs }: SocketTimes, startedMs: number): boolean =>
  Math.abs(changedMs - (bornMs > 0 ? bornMs : startedMs)) > beginningMs;
