import type { CommandEnd } from '../../os/programs/command-launcher.ts';
import type { EndCauseName, RunEnding } from './record.ts';

/** Status of timeout(1) after its limit. */
const limitStatus = 124;
/**
 * Statuses of shells for a missing command and for one that can't be executed.
 * https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html
 */
const notFoundStatus = 127;
const notExecutableStatus = 126;

/** 128 + n after signal n, as in shells. */
const statusOfEnd = (end: CommandEnd): number => (end.kind === 'exited' ? end.code : 128 + end.signal);

/** Returns the status for a command that failed to start, by its errno name. */
export const statusOfFailedStart = (errno: string): number =>
  errno === 'ENOENT' || errno === 'ENOTDIR' ? notFoundStatus : notExecutableStatus;

const ranIntoLimit = (cause: EndCauseName): boolean =>
  cause === 'max-elapsed' || cause === 'hard-cap' || cause === 'idle';

const endedStatus = (outcome: RunEnding['outcome']): number =>
  outcome === 'killed' || outcome === 'survived' ? 137 : 143;

/**
 * Returns the exit status of `curfew run`: 124 if a limit ended the command, 128 + n if signal n
 * did, else the command's own. A command that the kernel doesn't let end counts as killed.
 */
export const runStatus = (cause: EndCauseName, end: CommandEnd | null): number => {
  if (ranIntoLimit(cause)) return limitStatus;
  return end === null ? 137 : statusOfEnd(end);
};

/**
 * Returns the content of `exit_code`: the command's own status if it ended on its own; else 143, or
 * 137 if any process needed KILL. The status of the command's own trap does not count.
 */
export const recordedStatus = (cause: EndCauseName, end: CommandEnd | null, outcome: RunEnding['outcome']): number =>
  (cause === 'command' || cause === 'not-started') && end !== null ? statusOfEnd(end) : endedStatus(outcome);
