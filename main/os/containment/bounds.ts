import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { messageOf } from '../../../app/format/error-message.ts';
import { controlGroupAt, groupFolder, type NoCgroup, tryWrite } from './control-group.ts';
import type { Enclosure } from './service-manager.ts';

/** What the processes of a control group may take together; null: no bound. */
export interface Bounds {
  readonly memoryBytes: number | null;
  readonly tasks: number | null;
}

/** The controllers that enforce bounds. */
export type Bounded = 'memory' | 'pids';

/** How often the kernel held a group to its bounds. */
export interface BoundsMet {
  /** Processes that the kernel killed for want of memory. */
  readonly memoryKills: number;
  /** Processes and threads that were refused. */
  readonly refusedTasks: number;
}

/** A group in the hierarchy of version 1 of one controller, or in version 2 with it. */
export interface BoundFolder {
  readonly folder: string;
  readonly controller: Bounded;
  readonly version: 1 | 2;
}

/** Share of the bound of memory from which the kernel slows its processes and reclaims. */
const slowedFrom = 0.9;

interface Limit {
  readonly file: string;
  readonly value: string;
  /** The bound holds without it: an older kernel lacks it, or one without accounting of swap. */
  readonly optional?: true;
}

const unlimited = { memoryBytes: null, tasks: null } as const satisfies Bounds;

/**
 * Version 2: https://docs.kernel.org/admin-guide/cgroup-v2.html#memory-interface-files; 1:
 * https://docs.kernel.org/admin-guide/cgroup-v1/memory.html. A part of what ran out of memory is
 * of no use, so version 2 ends all of it (memory.oom.group).
 */
const limitsOf = ({ controller, version }: BoundFolder, { memoryBytes, tasks }: Bounds): readonly Limit[] => {
  if (controller === 'pids') return [{ file: 'pids.max', value: tasks === null ? 'max' : String(tasks) }];
  if (memoryBytes === null) return [];
  const bytes = String(memoryBytes);
  return version === 1
    ? [
        { file: 'memory.limit_in_bytes', value: bytes },
        { file: 'memory.memsw.limit_in_bytes', value: bytes, optional: true },
      ]
    : [
        { file: 'memory.high', value: String(Math.floor(memoryBytes * slowedFrom)), optional: true },
        { file: 'memory.max', value: bytes },
        { file: 'memory.swap.max', value: '0', optional: true },
        { file: 'memory.oom.group', value: '1', optional: true },
      ];
};

/** Bounds a group; false where it can't be bounded. */
export const bound = (one: BoundFolder, bounds: Bounds): boolean =>
  limitsOf(one, bounds).every(
    ({ file, value, optional }) => tryWrite(join(one.folder, file), value) || optional === true,
  );

/** Hands controllers on to the groups below a folder, and returns those that it can't. */
export const share = <Name extends string>(folder: string, controllers: readonly Name[]): readonly Name[] =>
  controllers.filter((name) => !tryWrite(join(folder, 'cgroup.subtree_control'), `+${name}`));

/** Returns the controllers that these bounds need. */
export const boundedBy = ({ memoryBytes, tasks }: Bounds): readonly Bounded[] => [
  ...(memoryBytes === null ? [] : (['memory'] as const)),
  ...(tasks === null ? [] : (['pids'] as const)),
];

/** Returns the folder of our own group in the hierarchy of version 1 of a controller, or null. */
export const firstVersionFolder = (controller: Bounded): string | null =>
  groupFolder(readFileSync('/proc/self/mountinfo', 'utf8'), readFileSync('/proc/self/cgroup', 'utf8'), controller)
    ?.folder ?? null;

const countIn = (path: string, name: string): number => {
  try {
    return Number(new RegExp(`^${name} (\\d+)$`, 'mu').exec(readFileSync(path, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
};

/** Returns how often these groups were held to their bounds; what can't be read counts as never. */
const metBounds = (folders: readonly BoundFolder[]): BoundsMet => {
  let [memoryKills, refusedTasks] = [0, 0];
  for (const { folder, controller, version } of folders) {
    if (controller === 'pids') refusedTasks += countIn(join(folder, 'pids.events'), 'max');
    else memoryKills += countIn(join(folder, version === 1 ? 'memory.oom_control' : 'memory.events'), 'oom_kill');
  }
  return { memoryKills, refusedTasks };
};

/** The group of a run with its bounds in force. */
export interface BoundedEnclosure {
  readonly enclosure: Enclosure;
  /** Groups of version 1 beside it. */
  readonly beside: readonly string[];
  readonly met: () => BoundsMet;
}

/** Several groups with the same processes as one; the first says which processes these are. */
const asOne = (first: Enclosure, others: readonly Enclosure[], whileInside: (inside: boolean) => void): Enclosure => ({
  ...first,
  during: (work) => {
    const within = others.reduceRight<() => ReturnType<typeof work>>((inner, one) => () => one.during(inner), work);
    return first.during(() => {
      // This process is inside with all its threads, which count as tasks.
      whileInside(true);
      try {
        return within();
      } finally {
        whileInside(false);
      }
    });
  },
  moveOut: () => {
    for (const one of [first, ...others]) one.moveOut();
  },
  remove: () => [first, ...others].map((one) => one.remove()).every(Boolean),
});

/**
 * Bounds a run: its group of version 2 where that has the controllers, and groups of version 1 of
 * the same name for the others. Returns why it can't be bounded; its group stays then. Never
 * throws.
 * @param own null: there is no group of version 2
 */
export const boundEnclosure = (own: Enclosure | null, name: string, bounds: Bounds): BoundedEnclosure | NoCgroup => {
  const made = new Map<string, Enclosure>();
  const folders: BoundFolder[] = [];
  const failed = (reason: string): NoCgroup => {
    for (const one of made.values()) one.remove();
    return { reason };
  };
  try {
    for (const controller of boundedBy(bounds)) {
      const home = firstVersionFolder(controller);
      if (home !== null) {
        const folder = join(home, name);
        mkdirSync(folder, { recursive: true });
        made.set(folder, controlGroupAt(folder, home));
        folders.push({ folder, controller, version: 1 });
      } else if (own !== null && share(dirname(own.path), [controller]).length === 0)
        folders.push({ folder: own.path, controller, version: 2 });
      else return failed(`its control group has no controller \`${controller}\` to share out`);
    }
    const all = own === null ? [...made.values()] : [own, ...made.values()];
    const [first, ...others] = all;
    if (first === undefined) return failed('there is no control group');
    const refused = folders.find((one) => !bound(one, bounds));
    if (refused !== undefined) return failed(`\`${refused.controller}\` can't be bounded in ${refused.folder}`);
    const pids = folders.filter(({ controller }) => controller === 'pids');
    const enclosure = asOne(first, others, (inside) => {
      for (const one of pids) bound(one, inside ? unlimited : bounds);
    });
    const groups = enclosure.during(() => readFileSync('/proc/self/cgroup', 'utf8'));
    const entered = groups.split('\n').filter((line) => line.endsWith(`/${name}`)).length;
    if (entered < all.length) return failed('this process could not move into it');
    return { enclosure, beside: [...made.keys()], met: () => metBounds(folders) };
  } catch (error) {
    return failed(messageOf(error));
  }
};
