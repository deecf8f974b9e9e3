import { readFileSync, statfsSync } from 'node:fs';
import { join } from 'node:path/posix';
import { type Ceiling, type MachineCeilings, noCeilings } from '../../../app/diagnose/ceilings.ts';
import { groupFolder } from './control-group.ts';

interface Hierarchy {
  /** The controller of version 1; left out: version 2. */
  readonly controller?: 'pids' | 'memory';
  readonly used: string;
  readonly max: string;
  /** The line of memory.stat with what the kernel can take back at once: it is no shortage. */
  readonly free?: string;
}

const pids: readonly Hierarchy[] = [
  { used: 'pids.current', max: 'pids.max' },
  { controller: 'pids', used: 'pids.current', max: 'pids.max' },
];
const memory: readonly Hierarchy[] = [
  { used: 'memory.current', max: 'memory.max', free: 'inactive_file' },
  {
    controller: 'memory',
    used: 'memory.usage_in_bytes',
    max: 'memory.limit_in_bytes',
    free: 'total_inactive_file',
  },
];

/** What version 1 says for "no limit" is the largest number of pages: about 9.2e18. */
const noLimit = 1e18;

const numberIn = (path: string): number | null => {
  try {
    const text = readFileSync(path, 'utf8').trim();
    return /^\d+$/u.test(text) ? Number(text) : null;
  } catch {
    return null;
  }
};

const linesIn = (path: string): readonly string[] => {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch {
    return [];
  }
};

const ceilingIn = (folder: string, { used, max, free }: Hierarchy): Ceiling | null => {
  const limit = numberIn(join(folder, max));
  const current = numberIn(join(folder, used));
  if (limit === null || limit >= noLimit || current === null) return null;
  const line =
    free === undefined ? undefined : linesIn(join(folder, 'memory.stat')).find((one) => one.startsWith(`${free} `));
  return { used: current - (line === undefined ? 0 : Number(line.split(' ')[1])), max: limit };
};

/** The tightest limit of our group and of those above it, as far as they can be seen. */
const tightest = (texts: OwnTexts, hierarchy: Hierarchy): Ceiling | null => {
  const place = groupFolder(texts.mountinfo, texts.groups, hierarchy.controller);
  if (place === null) return null;
  const above = place.folder.slice(place.top.length).split('/').filter(Boolean);
  return above
    .map((_, at) => join(place.top, ...above.slice(0, at + 1)))
    .concat(place.top)
    .flatMap((folder) => ceilingIn(folder, hierarchy) ?? [])
    .reduce<Ceiling | null>(
      (least, one) => (least === null || one.max - one.used < least.max - least.used ? one : least),
      null,
    );
};

/** The texts of /proc/self/mountinfo and /proc/self/cgroup. */
export interface OwnTexts {
  readonly mountinfo: string;
  readonly groups: string;
}

const sharedMemory = (): Ceiling | null => {
  try {
    const { bsize, blocks, bfree } = statfsSync('/dev/shm');
    return blocks === 0 ? null : { used: (blocks - bfree) * bsize, max: blocks * bsize };
  } catch {
    return null;
  }
};

/** The share of the last ten seconds in which some process of our group waited for memory. */
const stalledPercent = (texts: OwnTexts): number | null => {
  const place = groupFolder(texts.mountinfo, texts.groups);
  if (place === null) return null;
  try {
    const share = /^some avg10=([\d.]+) /mu.exec(readFileSync(join(place.folder, 'memory.pressure'), 'utf8'))?.[1];
    return share === undefined ? null : Number(share);
  } catch {
    return null;
  }
};

/** Returns the limits of the group in these texts, without /dev/shm. Never throws. */
export const ceilingsIn = (texts: OwnTexts): Omit<MachineCeilings, 'sharedMemory'> => {
  const first = (all: readonly Hierarchy[]): Ceiling | null =>
    all.map((one) => tightest(texts, one)).find((one) => one !== null) ?? null;
  return { pids: first(pids), memory: first(memory), stalledPercent: stalledPercent(texts) };
};

/**
 * Reads the limits under which this process and all beside it run: of process ids and memory by
 * control group, and the size of /dev/shm. Null where there is none, or none can be seen.
 * https://docs.kernel.org/admin-guide/cgroup-v2.html Never throws.
 */
export const readCeilings = (): MachineCeilings => {
  if (process.platform !== 'linux') return noCeilings;
  try {
    const texts = {
      mountinfo: readFileSync('/proc/self/mountinfo', 'utf8'),
      groups: readFileSync('/proc/self/cgroup', 'utf8'),
    };
    return { ...ceilingsIn(texts), sharedMemory: sharedMemory() };
  } catch {
    return noCeilings;
  }
};
