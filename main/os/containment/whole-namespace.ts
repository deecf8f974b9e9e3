import { readdirSync } from 'node:fs';
import { constants } from 'node:os';
import type { FirstSignalName } from '../../../app/process/signal.ts';
import type { Said } from '../../../app/format/said.ts';
import { say } from '../../../app/text/say.ts';
import { openLibc } from '../linux/control/libc.ts';

/** What process 1 of a pid namespace may do with everything in it. */
export interface WholeNamespace {
  /** Passes a signal on to one of our children. False: it is gone, or the signal is unknown. */
  readonly pass: (pid: number, signal: NodeJS.Signals) => boolean;
  /** Asks every other process to end, and continues those that are stopped so that they hear it. */
  readonly askAll: (signal: FirstSignalName) => void;
  /** How many other processes there are; zombies count. */
  readonly others: () => number;
}

/** Every process but process 1 and the caller: https://man7.org/linux/man-pages/man2/kill.2.html */
const everyOther = -1;

/**
 * Returns the pid namespace of which this process is the first one, or why it can't be handled. It
 * proves that by its own pid: as any other process, a signal to all would reach the whole machine.
 */
export const openWholeNamespace = (): WholeNamespace | { readonly reason: Said } => {
  const libc = openLibc();
  if ('reason' in libc) return { reason: say('calls of the system are missing: {why}', { why: libc.reason }) };
  if (process.pid !== 1) return { reason: say('it is process {pid} here, not process 1', { pid: process.pid }) };
  const askAll = (signal: number): void => {
    // Asked again at the call: nothing else may ever stand between the check and it.
    if (libc.getpid() === 1) libc.kill(everyOther, signal);
  };
  return {
    pass: (pid, signal) => libc.kill(pid, constants.signals[signal]) === 0,
    askAll: (signal) => {
      askAll(constants.signals[`SIG${signal}`]);
      askAll(constants.signals.SIGCONT);
    },
    others: () => readdirSync('/proc').filter((name) => /^\d+$/u.test(name) && name !== '1').length,
  };
};
