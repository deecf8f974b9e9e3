import type { Pid, ProcessIdentity } from '../../../app/process/identity.ts';
import type { ProcessHandle } from './signaller.ts';

/**
 * Returns whether a pid must never be signalled, whatever was decided: pid 1, 0 and negative pids
 * ("every process" and "my group" in kill(2)), and Curfew itself. The judge vetoes all of them
 * before; this is the last check.
 */
export const isUntouchable = (pid: Pid): boolean => !Number.isSafeInteger(pid) || pid <= 1 || pid === process.pid;

/** A handle that refuses every signal. */
export const refusingHandle = (identity: ProcessIdentity): ProcessHandle => ({
  identity,
  kind: 'recheck',
  alive: () => true,
  send: () => 'refused',
  sendToGroup: () => 'refused',
  close: () => undefined,
});
