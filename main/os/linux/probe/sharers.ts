import { readlinkSync, statfsSync, statSync } from 'node:fs';
import type { PossibleClient } from '../../../../app/jobs/measure/clients.ts';
import { type Shared, sharersAmong } from '../../processes/sharers.ts';
import { isDevice, isEngineLock } from '../facts/shared-by-name.ts';
import { heldIn, mayHoldFile } from '../../files/held-readers.ts';
import { heldBy } from '../proc/living-thread.ts';
import { readLink } from '../proc/open-files.ts';
import { ProcReader, unlessRefused } from '../proc/proc-reader.ts';
import { strangersMaps } from '../proc/owner.ts';

/** At most this many open files of other processes are read in one search: about 0.2 s. */
const maxFiles = 50_000;
/** Major numbers of pseudo-terminals and of their master: Documentation/admin-guide/devices.txt. */
const slaves = { first: 136, last: 143 } as const;
const master = { major: 5, minor: 2 } as const;

/** Returns the major number of a device: https://man7.org/linux/man-pages/man3/major.3.html */
export const majorOf = (device: number): number => Math.floor(device / 256) % 4096;

/** Returns the minor number of a device, as `majorOf`. */
export const minorOf = (device: number): number => (device % 256) + Math.floor(device / 1_048_576) * 256;

let reader: ProcReader | null = null;

const textOf = (path: string): string | null => {
  reader ??= new ProcReader();
  const text = reader.readText(path);
  return text === null ? null : Buffer.from(text, 'latin1').toString('utf8');
};

/** Returns a pseudo-terminal as what is shared. */
export const terminal = (number: number): readonly [string, Shared] => [
  `terminal ${number}`,
  { by: 'terminal', at: `/dev/pts/${number}`, writes: true },
];

/** Returns a pipe without a name as what is shared, by its inode. */
export const namelessPipe = (at: string): readonly [string, Shared] => [
  `nameless ${at}`,
  { by: 'pipe', at, writes: true, nameless: true },
];

/** MQUEUE_MAGIC of the kernel: the file system of mq_overview(7). Its files lie at its root. */
const queueMagic = 0x19_80_02_02;

const queueAt = (path: string, key: string): readonly [string, Shared] | null => {
  const at = readlinkSync(path);
  return /^\/[^/]+$/u.test(at) && statfsSync(path).type === queueMagic
    ? [`queue ${key}`, { by: 'pipe', at, writes: true }]
    : null;
};

/** Returns what one open file shares; null for what tells nothing. Never opens it. */
const ofFile = (folder: string, fd: string): readonly [string, Shared] | null => {
  const path = `${folder}/fd/${fd}`;
  return unlessRefused(path, () => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return null;
    if (found.isFIFO()) {
      const at = readlinkSync(path);
      return at.startsWith('pipe:')
        ? namelessPipe(at)
        : [`pipe ${found.dev} ${found.ino}`, { by: 'pipe', at, writes: true }];
    }
    if (found.isFile()) return queueAt(path, `${found.dev} ${found.ino}`);
    if (!found.isCharacterDevice()) return null;
    const [high, low] = [majorOf(found.rdev), minorOf(found.rdev)];
    if (high >= slaves.first && high <= slaves.last) return terminal((high - slaves.first) * 256 + low);
    if (high !== master.major || low !== master.minor) return null;
    const number = /^tty-index:\s+(\d+)$/mu.exec(textOf(`${folder}/fdinfo/${fd}`) ?? '')?.[1];
    return number === undefined ? null : terminal(Number(number));
  });
};

/**
 * A line of /proc/PID/maps whose memory is shared: `rw-s OFFSET DEVICE INODE PATH`. Memory of
 * System V has its number in the place of the inode, and the first is 0.
 */
const sharedLine = /^[0-9a-f]+-[0-9a-f]+ .(.).s [0-9a-f]+ ([0-9a-f]+:[0-9a-f]+) ([1-9]\d*|0(?= +\/SYSV)) +(.*)$/gmu;

/**
 * Returns the shared memory in a text of /proc/PID/maps. Devices are no memory of processes.
 * @param holder the process, asked for where memory is called as that of an engine's locks
 */
export const memoryIn = (maps: string, holder: Parameters<typeof isEngineLock>[1]): ReadonlyMap<string, Shared> => {
  const found = new Map<string, Shared>();
  for (const [, write, device = '', inode = '', path = ''] of maps.matchAll(sharedLine)) {
    if ((isDevice(path) && !path.startsWith('/dev/zero')) || isEngineLock(path, holder)) continue;
    // The caches of the C library are in nearly every process; no process of the user writes there.
    if (write !== 'w' && path.startsWith('/usr/')) continue;
    const name = `memory ${device} ${inode}`;
    const writes = write === 'w' || found.get(name)?.writes === true;
    found.set(name, { by: 'memory', at: path, writes });
  }
  return found;
};

const beganAt = (pid: number): number | null => {
  const text = textOf(`/proc/${pid}/stat`);
  const ticks = Number(text?.slice(text.lastIndexOf(')') + 2).split(' ')[19]);
  return ticks > 0 ? ticks : null;
};

interface Search {
  files: number;
  /**
   * Open files that can't be looked at (`mayHoldFile`), by process: the kernel tells their inode
   * and not their device. null: not even that (before Linux 5.14).
   */
  readonly held: Map<number, Set<number> | null>;
}

/** The inode of an open file, by the kernel's own note: nothing of the file is asked. */
const heldInode = (folder: string, fd: string): number | null => {
  const inode = /^ino:\t(\d+)$/mu.exec(textOf(`${folder}/fdinfo/${fd}`) ?? '')?.[1];
  return inode === undefined ? null : Number(inode);
};

/** devpts numbers its files so: the first terminal is inode 3 (fs/devpts/inode.c). */
const firstTerminal = 3;

/** The inode of what has a name, by the name by which it is compared; null: it has none. */
const inodeOf = (name: string): number | null => {
  const [kind = '', first = '', second = ''] = name.split(' ');
  if (kind === 'terminal') return Number(first) + firstTerminal;
  return kind === 'pipe' || kind === 'queue' ? Number(second) : null;
};

const noteHeld = ({ held }: Search, pid: number, inode: number | null): void => {
  const known = held.get(pid);
  if (inode === null || known === null) held.set(pid, null);
  else held.set(pid, (known ?? new Set()).add(inode));
};

/** Whether a job may share a file that can't be looked at: its own, or one of the same inode. */
const mayShareHeld = (pids: ReadonlySet<number>, names: readonly string[], { held }: Search): boolean => {
  const inodes = names.map(inodeOf);
  return [...held].some(
    ([pid, of]) => of === null || pids.has(pid) || inodes.some((inode) => inode !== null && of.has(inode)),
  );
};

/** Returns the text of its mappings, empty where a stranger's can't be read; null: not there. */
const mapsOf = (pid: number, folder: string): string | null => strangersMaps(pid) ?? textOf(`${folder}/maps`);

const memoryOf = (pid: number, folder: string, maps: string): ReadonlyMap<string, Shared> =>
  memoryIn(maps, () => ({
    comm: textOf(`/proc/${pid}/comm`)?.replace(/\n$/u, '') ?? '',
    argv: textOf(`${folder}/cmdline`)?.split('\0') ?? [],
  }));

/** Returns whether memory of it may be written by another process; null: it can't be looked at. */
export const sharesMemory = (pid: number): boolean | null => {
  const folder = heldBy(pid)?.folder;
  const maps = folder === undefined ? null : mapsOf(pid, folder);
  if (folder === undefined || maps === null || maps === '') return null;
  return [...memoryOf(pid, folder, maps).values()].some(({ writes }) => writes);
};

const sharedByProcess = (pid: number, search: Search): ReadonlyMap<string, Shared> => {
  const held = heldBy(pid);
  if (held === null) return new Map();
  const maps = mapsOf(pid, held.folder);
  const found = new Map(memoryOf(pid, held.folder, maps ?? ''));
  // What can't be looked at may share anything.
  if (maps === null && heldIn(pid) !== null) search.files = Infinity;
  for (const fd of held.names) {
    if (++search.files > maxFiles) break;
    const target = mayHoldFile(pid, fd) ? (readLink(`${held.folder}/fd/${fd}`)?.target ?? '') : null;
    if (target?.startsWith('/') === true) noteHeld(search, pid, heldInode(held.folder, fd));
    const shared = target === null ? ofFile(held.folder, fd) : target.startsWith('pipe:') ? namelessPipe(target) : null;
    if (shared !== null) found.set(...shared);
  }
  return found;
};

/**
 * Returns what each job shares with processes outside of it: named pipes and memory by device and
 * inode, terminals by number. Processes that can't be looked into are other users’. Nothing is
 * opened, and nothing is searched for where a job shares nothing.
 * @throws ProcessTableUnreadable
 */
export const sharersOf = (
  jobs: readonly ReadonlySet<number>[],
  all: readonly number[],
): readonly (readonly PossibleClient[])[] => {
  const search: Search = { files: 0, held: new Map() };
  const found = sharersAmong(jobs, all, (pid) => sharedByProcess(pid, search), beganAt);
  // What was not searched may hold it.
  return found.clients.map((one, at) => {
    const names = found.names[at] ?? [];
    const isUnsearched = search.files > maxFiles || mayShareHeld(jobs[at] ?? new Set(), names, search);
    return names.length > 0 && isUnsearched ? [...one, unsearched] : one;
  });
};

const unsearched: PossibleClient = {
  by: 'unknown',
  at: 'there are more open files than are looked at',
  from: null,
  peers: null,
};
