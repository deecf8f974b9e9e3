import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Holder, Holders, MemoryProbe, ProcessProbe, Traffic } from '../../../../app/diagnose/probe.ts';
import type { ControlGroups } from '../../../../app/process/facts.ts';
import { mayHoldFile } from '../../files/held-readers.ts';
import type { Probing } from '../../processes/probing.ts';
import { holdsLock } from '../facts/member-facts.ts';
import { accessIn, readLink } from '../proc/open-files.ts';
import { pidNamespaceOf } from '../proc/boot.ts';
import { heldBy, livingThreadOf } from '../proc/living-thread.ts';
import { oomKilledOf, oomKillsOf } from '../proc/oom.ts';
import { type ProcReader, unlessRefused } from '../proc/proc-reader.ts';
import { RunMarks } from '../proc/run-marks.ts';
import { exchangeOf, switchesOf } from '../sockets/exchange.ts';
import { LocalWorld } from '../sockets/local-world.ts';
import { servedOf } from '../sockets/serving.ts';
import { askSs } from '../sockets/ss.ts';
import { ProcessProbes } from './process-probes.ts';
import { sharersOf } from './sharers.ts';
import { TakenAlongReader } from './taken-along.ts';

/** At most this many open files of other processes are read in one search: about 0.1 s. */
const maxLinks = 50_000;

/** Device and inode, as text; null where there is no such file, or it can't be asked. */
const identityAt = (path: string): { readonly ino: string; readonly whole: string } | null => {
  const status = unlessRefused(path, () => statSync(path, { bigint: true, throwIfNoEntry: false }));
  return status == null ? null : { ino: String(status.ino), whole: `${status.dev} ${status.ino}` };
};

/** The inode in the text of a descriptor's fdinfo (Linux 5.14); null where it isn't told. */
const inodeIn = (info: string): string | null => /^ino:\s*(\d+)$/mu.exec(info)?.[1] ?? null;

/**
 * Whether a descriptor is one of these files under another path: through a link, a bind mount, a
 * second name. The file itself is only asked where its inode or its name agrees: one on a mount
 * that does not answer would hold up the look.
 */
const sameFile = (
  { pid, number, link }: { readonly pid: number; readonly number: string; readonly link: string },
  target: string,
  info: string,
  files: ReadonlyMap<string, { readonly ino: string; readonly whole: string }>,
): string | null => {
  const ino = inodeIn(info);
  for (const [path, file] of files) {
    if (ino === null ? basename(target) !== basename(path) : ino !== file.ino) continue;
    const found = mayHoldFile(pid, number) ? null : identityAt(link);
    // What can't be asked may be it.
    if (found === null || found.whole === file.whole) return path;
  }
  return null;
};

/**
 * Returns which of these processes have one of these files or pipes open: files by device and
 * inode, whatever path leads to them. The only search over all processes of the user, so it runs
 * only for what a process is blocked on, and its caller caches the result. Never opens the files.
 * @throws ProcessTableUnreadable
 */
const searchHolders = (
  reader: ProcReader,
  pids: Iterable<number>,
  targets: ReadonlySet<string>,
): ReadonlyMap<string, Holders> => {
  const found = new Map<string, Holder[]>([...targets].map((target) => [target, []]));
  let links = 0;
  let complete = true;
  const files = new Map(
    [...targets].flatMap((target) => {
      const file = target.startsWith('/') ? identityAt(target) : null;
      return file === null ? [] : [[target, file] as const];
    }),
  );
  for (const pid of pids) {
    const open = links > maxLinks ? null : heldBy(pid);
    if (open === null) {
      complete = false;
      continue;
    }
    for (const number of open.names) {
      if (++links > maxLinks) {
        complete = false;
        break;
      }
      const link = `${open.folder}/fd/${number}`;
      const target = readLink(link)?.target ?? null;
      if (target === null) continue;
      const isFile = files.size > 0 && target.startsWith('/');
      if (!isFile && !found.has(target)) continue;
      const info = reader.readText(`${open.folder}/fdinfo/${number}`, 4_096) ?? '';
      const path = found.has(target) ? target : sameFile({ pid, number, link }, target, info, files);
      const holders = path === null ? undefined : found.get(path);
      if (holders === undefined) continue;
      // An unreadable end may be a writer.
      holders.push({ pid, access: accessIn(info) ?? 'both', locks: holdsLock(info) });
    }
  }
  return new Map([...found].map(([target, holders]) => [target, { holders, complete }]));
};

/** Mount points of version 2, alone or beside version 1. */
const roots = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'];

/**
 * Returns the percentage of the last minute spent waiting, from a text such as `some avg10=0.00
 * avg60=1.25 …`, or null. https://docs.kernel.org/accounting/psi.html
 */
export const pressureIn = (text: string | null): number | null => {
  const share = /^some avg10=[\d.]+ avg60=([\d.]+) /mu.exec(text ?? '')?.[1];
  return share === undefined ? null : Number(share);
};

const totalIn = (meminfo: string | null): number | null => {
  const kilobytes = /^MemTotal:\s+(\d+) kB$/mu.exec(meminfo ?? '')?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
};

const groupFolder = (cgroups: ControlGroups | null): string | null => {
  const path = cgroups?.[''];
  if (path === undefined || path === '/' || path.includes('/..')) return null;
  const root = roots.find((one) => existsSync(join(one, 'cgroup.controllers')));
  return root === undefined ? null : join(root, path);
};

const readGroup = (reader: ProcReader, folder: string): MemoryProbe | null => {
  const pressurePercent = pressureIn(reader.readText(join(folder, 'memory.pressure'), 1_024));
  if (pressurePercent === null) return null;
  const limit = Number(reader.readText(join(folder, 'memory.max'), 64)?.trim());
  return { pressurePercent, of: folder, totalBytes: Number.isSafeInteger(limit) && limit > 0 ? limit : null };
};

/**
 * Returns the memory pressure of a job: of its own control group if that is limited and under more
 * pressure than the machine, else of the machine. Null if the kernel doesn't measure it (before
 * 4.20, or without CONFIG_PSI).
 * @throws ProcessTableUnreadable
 */
const readMemory = (reader: ProcReader, cgroups: ControlGroups | null): MemoryProbe | null => {
  const pressurePercent = pressureIn(reader.readText('/proc/pressure/memory', 1_024));
  const folder = groupFolder(cgroups);
  const group = folder === null ? null : readGroup(reader, folder);
  if (group !== null && group.totalBytes !== null && group.pressurePercent > (pressurePercent ?? 0)) return group;
  if (pressurePercent === null) return null;
  return { pressurePercent, of: 'machine', totalBytes: totalIn(reader.readText('/proc/meminfo', 8_192)) };
};

/** Interval in ms: a stall of half an hour need not be known to the second. */
const everyMs = 120_000;

const numberIn = (line: string, name: string): number =>
  Number(new RegExp(`\\s${name}:(\\d+)`, 'u').exec(line)?.[1] ?? 0);

/**
 * Returns traffic by socket inode from the output of `ss -tineHO`, one line per connection. ss
 * omits figures that are 0. https://man7.org/linux/man-pages/man8/ss.8.html
 */
export const trafficIn = (text: string): ReadonlyMap<string, Traffic> => {
  const traffic = new Map<string, Traffic>();
  for (const line of text.split('\n')) {
    const inode = /\sino:(\d+)\s/u.exec(line)?.[1];
    if (inode === undefined) continue;
    traffic.set(inode, {
      sentBytes: numberIn(line, 'bytes_sent'),
      receivedBytes: numberIn(line, 'bytes_received'),
    });
  }
  return traffic;
};

/**
 * Reads the traffic of the connections of this network namespace from iproute2's ss: the kernel
 * reports it through sock_diag, not in /proc. Empty if ss is missing or does not report it.
 */
class TrafficTable {
  #known: { readonly atMs: number; readonly traffic: ReadonlyMap<string, Traffic> } | null = null;

  /** Never throws. */
  read(): ReadonlyMap<string, Traffic> {
    const nowMs = performance.now();
    if (this.#known !== null && nowMs - this.#known.atMs < everyMs) return this.#known.traffic;
    const text = askSs(['-tineHO', 'state', 'established']);
    const traffic = text === null ? new Map<string, Traffic>() : trafficIn(text);
    this.#known = { atMs: nowMs, traffic };
    return traffic;
  }
}

/** Returns whether a process has ended since; a zombie has no files, rather than unread ones. */
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
  takenAlong: (asked) => along.read(asked),
  exchanges: (jobs) => {
    const marks = new RunMarks(reader);
    return jobs.map((processes) => exchangeOf(processes, (pid) => marks.read(pid) ?? switchesOf(reader, pid)));
  },
  memory: (cgroups) => readMemory(reader, cgroups),
  oomKills: (cgroups) => oomKillsOf(reader, cgroups),
  oomKilled: (pids, withinSeconds) => oomKilledOf(pidNamespaceOf('self'), pids, withinSeconds),
});
