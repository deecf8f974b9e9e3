import type { CommandEnd } from '../../os/programs/command-launcher.ts';
import type { EndCauseName, RunEnding } from './record.ts';

/** What timeout(1) ends with when the limit ended its command. */
const limitStatus = 124;
/** What shells say of a command that is not there, and of one that can't be executed. https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html */
const notFoundStatus = 127;
const notExecutableStatus = 126;

/** 128 + n after signal n, as shells say it. */
const statusOfEnd = (end: CommandEnd): number => (end.kind === 'exited' ? end.code : 128 + end.signal);

/** The status for a command that could not be started, by the name of the error. */
export const statusOfFailedStart = (errno: string): number =>
  errno === 'ENOENT' || errno === 'ENOTDIR' ? notFoundStatus : notExecutableStatus;

const ranIntoLimit = (cause: EndCauseName): boolean =>
  cause === 'max-elapsed' || cause === 'hard-cap' || cause === 'idle';

const endedStatus = (outcome: RunEnding['outcome']): number =>
  outcome === 'killed' || outcome === 'survived' ? 137 : 143;

/**
 * The exit status of `curfew run`: 124 when a limit ended the command, else the command's own, 128 + n when signal n ended it. A command that is still there (the
 * kernel doesn't let it end) counts as killed.
 */
export const runStatus = (cause: EndCauseName, end: CommandEnd | null): number => {
  if (ranIntoLimit(cause)) return limitStatus;
  return end === null ? 137 : statusOfEnd(end);
};

/**
 * What is written to `exit_code`: the command's own when it ended by itself; when it was ended, 143, or 137 if KILL was needed for any of its processes, whatever its
 * own trap would have liked to say.
 */
export const recordedStatus = (cause: EndCauseName, end: CommandEnd | null, outcome: RunEnding['outcome']): number =>
  (cause === 'command' || cause === 'not-started') && end !== null ? statusOfEnd(end) : endedStatus(outcome);
