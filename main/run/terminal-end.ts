import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunContext } from './context.ts';

/** Our own copy of a signal that the terminal has sent to the command comes at the same moment, or never; a busy machine lets our threads wait. Milliseconds. */
const maxHeardWaitMs = 1000;
const heardLookMs = 5;

/**
 * Waits for our own copy of the terminal's signal that ended the command. A process with several threads can have two signals handled at once, and the word that the command
 * has ended then overtakes the signal that ended it (seen on Linux 6.18: a script went on after Ctrl-C).
 */
export const untilHeard = async (context: RunContext, heard: ReadonlySet<number>, signal: number): Promise<void> => {
  const keys: readonly number[] = [constants.signals.SIGINT, constants.signals.SIGQUIT];
  if (!keys.includes(signal) || context.placement !== 'shared') return;
  for (let waitedMs = 0; waitedMs < maxHeardWaitMs && !heard.has(signal); waitedMs += heardLookMs)
    await sleep(heardLookMs);
};

/** The shell that started us wants the terminal where it gave it to us. If it has taken it meanwhile, it stays there. */
export const terminalBack = ({ terminal, placement, view }: RunContext, group: number): void => {
  if (terminal === null || placement === 'shared') return;
  if ([group, ...view.groups].some((one) => terminal.isForeground(one))) terminal.takeBack();
};
