import type { Connection } from '../../../../app/diagnose/probe.ts';
import type { Probing } from '../../processes/probing.ts';
import { readDescriptors } from '../kernel/descriptors.ts';
import type { DarwinKernel } from '../kernel/kernel.ts';
import { darwinProbing } from '../common/probing.ts';
import { sharersOf } from './sharers.ts';
import { possibleClients } from './sockets.ts';
import { WorkMeter } from './work.ts';

const connectionsOf = (kernel: DarwinKernel, pid: number): readonly Connection[] =>
  (readDescriptors(kernel, pid)?.all ?? []).flatMap((one) =>
    one.kind === 'internet' && one.protocol === 'tcp' && one.state === 'connected'
      ? [
          {
            inode: one.socket,
            local: one.local,
            remote: one.remote,
            // Keepalive is unknown here. It is assumed, because a diagnosis then waits longer.
            keptAlive: true,
            unacknowledgedBytes: 0,
            unreadBytes: 0,
          },
        ]
      : [],
  );

/**
 * Probes through the kernel. What it does not show stays unknown, as through ps and lsof.
 * @param ownPid of this process
 */
export const nativeProbing = (kernel: DarwinKernel, ownPid: number): Probing => {
  const meter = new WorkMeter(kernel, ownPid);
  return {
    ...darwinProbing,
    processes: (rows, facts) =>
      new Map(
        [...darwinProbing.processes(rows, facts)].map(([pid, probe]) => [
          pid,
          { ...probe, connections: connectionsOf(kernel, pid) },
        ]),
      ),
    possibleClients: (processes) => possibleClients(kernel, processes),
    sharers: sharersOf(kernel),
    exchanges: (jobs) => meter.exchanges(jobs),
  };
};
