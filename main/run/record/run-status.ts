import type { CommandEnd } from '../../os/programs/command-launcher.ts';
import type { EndCauseName, RunEnding } from './record.ts';

/**
 * What well-known statuses of Windows mean (ntstatus.h). A program ends with one when the system
 * ends it: https://learn.microsoft.com/openspecs/windows_protocols/ms-erref/596a1078-e883-4972-9bbc-49e60bebca55
 */
const meanings: ReadonlyMap<number, string> = new Map([
  [0xc000013a, 'ended by Ctrl-C, Ctrl-Break or its closed window'],
  [0xc0000005, 'access violation'],
  [0xc0000017, 'out of memory'],
  [0xc000001d, 'illegal instruction'],
  [0xc0000094, 'division by zero'],
  [0xc00000fd, 'stack overflow'],
  [0xc0000135, 'a DLL is missing'],
  [0xc0000139, 'a DLL lacks a function'],
  [0xc0000142, 'a DLL could not be initialised'],
  [0xc0000374, 'damaged heap'],
  [0xc0000409, 'ended itself after damage to its stack, or by abort()'],
  [0x40010004, 'ended by a debugger'],
]);

/** Statuses from here on are the system's, as an NTSTATUS of severity "error". */
const firstError = 0xc0000000;

/** Returns a Windows status in words, with its usual number; null: a program's own. */
export const statusWords = (status: number): string | null => {
  const meaning = meanings.get(status);
  if (meaning === undefined && (status < firstError || status > 0xffff_ffff)) return null;
  const name = `0x${status.toString(16).toUpperCase().padStart(8, '0')}`;
  return meaning === undefined ? `status ${name}` : `status ${name}, ${meaning}`;
};

/** Status of timeout(1) after its limit. */
const limitStatus = 124;
/**
 * Statuses of shells for a missing command and for one that can't be executed.
 * https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html
 */
const notFoundStatus = 127;
const notExecutableStatus = 126;

/** 128 + n after signal n, as in shells. */
export const statusOfEnd = (end: CommandEnd): number => (end.kind === 'exited' ? end.code : 128 + end.signal);

/** Returns the status for a command that failed to start, by its errno name. */
export const statusOfFailedStart = (errno: string): number =>
  errno === 'ENOENT' || errno === 'ENOTDIR' ? notFoundStatus : notExecutableStatus;

const ranIntoLimit = (cause: EndCauseName): boolean =>
  cause === 'max-elapsed' || cause === 'hard-cap' || cause === 'idle';

const endedStatus = (outcome: RunEnding['outcome']): number =>
  outcome === 'killed' || outcome === 'survived' ? 137 : 143;

/**
 * Returns the exit status of `curfew run`: 124 if a limit ended the command, 137 at its bound of
 * memory, 128 + n if signal n did, else the command's own. A command that the kernel doesn't let
 * end counts as killed.
 */
export const runStatus = (cause: EndCauseName, end: CommandEnd | null): number => {
  if (ranIntoLimit(cause)) return limitStatus;
  return end === null || cause === 'memory' ? 137 : statusOfEnd(end);
};

/**
 * Returns the content of `exit_code`: the command's own status if it ended on its own; else 143, or
 * 137 if any process needed KILL. The status of the command's own trap does not count.
 */
export const recordedStatus = (cause: EndCauseName, end: CommandEnd | null, outcome: RunEnding['outcome']): number =>
  (cause === 'command' || cause === 'not-started') && end !== null ? statusOfEnd(end) : endedStatus(outcome);
