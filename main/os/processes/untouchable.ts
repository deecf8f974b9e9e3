import type { Pid, ProcessIdentity } from '../../../app/process/identity.ts';
import type { ProcessHandle } from './signaller.ts';

/**
 * True for what must never get a signal from here, whatever was decided: the process that everything hangs on, "everybody" and "my group"
 * (kill(2) takes 0 and negative pids for those), and Curfew itself. The judge vetoes all of them long before; this is the last door.
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
