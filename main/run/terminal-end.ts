import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FirstSignalName } from '../../app/process/signal.ts';
import type { RunContext } from './context.ts';

/**
 * Upper bound in ms for our own copy of a terminal signal: it arrives with the command's or never,
 * but a busy machine delays our threads.
 */
const maxHeardWaitMs = 1000;
const heardLookMs = 5;

/**
 * Waits for our own copy of the terminal's signal that ended the command. A process with several
 * threads can receive two signals at once, so SIGCHLD may overtake it (seen on Linux 6.18: a script
 * went on after Ctrl-C).
 */
export const untilHeard = async (context: RunContext, heard: ReadonlySet<number>, signal: number): Promise<void> => {
  const keys: readonly number[] = [constants.signals.SIGINT, constants.signals.SIGQUIT];
  if (!keys.includes(signal) || context.placement !== 'shared') return;
  for (let waitedMs = 0; waitedMs < maxHeardWaitMs && !heard.has(signal); waitedMs += heardLookMs)
    await sleep(heardLookMs);
};

/**
 * In a shared group the terminal signals the command and us alike, so the signal is the command's
 * business, but for those that mean the end. A request to us alone uses TERM.
 */
export const isTheTerminals = (context: RunContext, signal: FirstSignalName): boolean =>
  context.placement === 'shared' &&
  (signal === 'INT' || signal === 'QUIT') &&
  !context.keysEndRun.has(signal) &&
  (context.terminal === null || context.terminal.ownIsForeground());

/** Gives the terminal back to the shell, unless the shell has taken it already. */
export const terminalBack = ({ terminal, placement, view }: RunContext, group: number): void => {
  if (terminal === null || placement === 'shared') return;
  if ([group, ...view.groups].some((one) => terminal.isForeground(one))) terminal.takeBack();
};
