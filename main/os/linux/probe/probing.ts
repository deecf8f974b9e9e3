import type { ProcessProbe } from '../../../../app/diagnose/probe.ts';
import type { Probing } from '../../processes/probing.ts';
import { pidNamespaceOf } from '../proc/boot.ts';
import { livingThreadOf } from '../proc/living-thread.ts';
import { oomKilledOf, oomKillsOf } from '../proc/oom.ts';
import type { ProcReader } from '../proc/proc-reader.ts';
import { RunMarks } from '../proc/run-marks.ts';
import { exchangeOf, switchesOf } from '../sockets/exchange.ts';
import { linuxEndsProbing } from './agent-ends.ts';
import { searchHolders } from './holders.ts';
import { sharersOf } from './sharers.ts';
import { TakenAlongReader } from './taken-along.ts';
import { LocalWorld } from '../sockets/local-world.ts';
import { readMemory } from './memory.ts';
import { ProcessProbes } from './process-probes.ts';
import { servedOf } from '../sockets/serving.ts';
import { TrafficTable } from './traffic.ts';

/**
 * Returns whether a process has ended since the scan. A zombie's files can't be read either, but it
 * has none.
 */
const hasEnded = (reader: ProcReader, pid: number): boolean => {
  const stat = reader.readText(`/proc/${pid}/stat`, 4_096);
  if (stat === null) return reader.refusal === 'gone';
  return /^\) [ZX]/u.test(stat.slice(stat.lastIndexOf(')'))) && livingThreadOf(pid) === null;
};

/**
 * Returns the probing of processes through /proc.
 * @param startTicks returns the start time of a pid now: facts count only if it still is the same
 * process
 */
export const linuxProbing = (
  reader: ProcReader,
  startTicks: (pid: number) => number | null,
  connections = new TrafficTable(),
  along = new TakenAlongReader(reader),
): Probing => ({
  ends: linuxEndsProbing(reader, startTicks),
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
  possibleClients: (processes, ways) => {
    const world = new LocalWorld(reader, () => []);
    return processes.map((one) => (one.files === null && hasEnded(reader, one.pid) ? [] : servedOf(one, world, ways)));
  },
  sharers: sharersOf,
  takenAlong: () => along.read(),
  exchanges: (jobs) => {
    const marks = new RunMarks(reader);
    return jobs.map((processes) => exchangeOf(processes, (pid) => marks.read(pid) ?? switchesOf(reader, pid)));
  },
  memory: (cgroups) => readMemory(reader, cgroups),
  oomKills: (cgroups) => oomKillsOf(reader, cgroups),
  oomKilled: (pids, withinSeconds) => oomKilledOf(pidNamespaceOf('self'), pids, withinSeconds),
});
