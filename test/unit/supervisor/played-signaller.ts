import type { ProcessHandle, Signaller, SignalResult } from '../../../main/os/processes/signaller.ts';
import { hasEnded } from '../../../app/process/row.ts';
import type { SignalName } from '../../../app/process/signal.ts';
import type { Machine } from '../jobs/machine.ts';

/**
 * Signals to the processes of a machine without a kernel; `reach` says what one does to a process.
 */
export const playedSignaller = (
  machine: Machine,
  reach: (signal: SignalName, pid: number, group: boolean) => void,
): Signaller => {
  const { source } = machine;
  return {
    mechanism: 'played',
    open: (identity): ProcessHandle | null => {
      const alive = (): boolean => {
        const row = source.read(identity.pid);
        return row !== null && !hasEnded(row) && row.startTicks === identity.startTicks;
      };
      if (!alive()) return null;
      return {
        identity,
        kind: 'pidfd',
        alive,
        send: (signal): SignalResult => {
          if (!alive()) return 'gone';
          reach(signal, identity.pid, false);
          return 'sent';
        },
        sendToGroup: (signal) => {
          const members = [...machine.table().rows.values()].filter((row) => Number(row.pgid) === identity.pid);
          for (const row of members) reach(signal, row.pid, true);
          return members.length === 0 ? 'gone' : 'sent';
        },
        close: () => undefined,
      };
    },
  };
};
