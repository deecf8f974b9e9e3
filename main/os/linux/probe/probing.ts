import type { ProcessProbe } from '../../../../app/diagnose/probe.ts';
import type { Probing } from '../../probing.ts';
import { pidNamespaceOf } from '../boot.ts';
import { oomKilledOf, oomKillsOf } from '../oom.ts';
import type { ProcReader } from '../proc-reader.ts';
import { searchHolders } from './holders.ts';
import { readMemory } from './memory.ts';
import { ProcessProbes } from './process-probes.ts';
import { ServingReader } from './serving.ts';
import { TrafficTable } from './traffic.ts';

/**
 * Looking into processes through /proc.
 * @param startTicks the start time of a pid now: what was read of it counts only if it still is that process
 */
export const linuxProbing = (
  reader: ProcReader,
  startTicks: (pid: number) => number | null,
  connections = new TrafficTable(),
): Probing => ({
  processes: (rows, facts) => {
    const probes = new ProcessProbes(reader);
    const read = new Map<number, ProcessProbe>();
    for (const { pid, startTicks: started } of rows) {
      const probe = probes.read(pid, facts.get(pid));
      if (startTicks(pid) === started) read.set(pid, probe);
    }
    return read;
  },
  holders: (pids, targets) => searchHolders(reader, pids, targets),
  traffic: () => connections.read(),
  serving: (processes) => {
    const serving = new ServingReader(reader);
    return processes.map((one) => serving.read(one));
  },
  memory: (cgroups) => readMemory(reader, cgroups),
  oomKills: (cgroups) => oomKillsOf(reader, cgroups),
  oomKilled: (pids, withinSeconds) => oomKilledOf(pidNamespaceOf('self'), pids, withinSeconds),
});
