import { accessSync, constants, mkdirSync, readFileSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import { codeOf, messageOf } from '../../../app/format/error-message.ts';
import { controlGroupsIn } from '../linux/facts/member-facts.ts';
import type { Enclosure } from './service-manager.ts';

export interface NoCgroup {
  readonly reason: string;
}

/** /proc/self/mountinfo writes a blank as `\\040`. */
const unescaped = (text: string): string =>
  text.replaceAll(/\\(\d{3})/gu, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));

/** A control group's folder, and the top of its hierarchy as this process sees it. */
export interface GroupFolder {
  readonly folder: string;
  readonly top: string;
}

/**
 * Returns the folder of our control group in a hierarchy from the texts of /proc/self/mountinfo and
 * /proc/self/cgroup; null if it is not mounted or our group lies outside the mount. Hybrid machines
 * mount version 2 beside version 1. https://man7.org/linux/man-pages/man7/cgroups.7.html
 * @param controller of version 1; left out: the unified hierarchy of version 2
 */
export const groupFolder = (mountinfo: string, ownGroups: string, controller?: string): GroupFolder | null => {
  const groups = controlGroupsIn(ownGroups);
  const key = Object.keys(groups).find((names) =>
    controller === undefined ? names === '' : names.split(',').includes(controller),
  );
  const own = key === undefined ? undefined : groups[key];
  if (own === undefined || own.startsWith('/..')) return null;
  for (const line of mountinfo.split('\n')) {
    const [before = '', after = ''] = line.split(' - ', 2);
    const [type, , options = ''] = after.split(' ');
    if (type !== (controller === undefined ? 'cgroup2' : 'cgroup')) continue;
    if (controller !== undefined && !options.split(',').includes(controller)) continue;
    const [, , , root = '/', point = ''] = before.split(' ');
    const top = unescaped(root);
    if (top !== '/' && own !== top && !own.startsWith(`${top}/`)) continue;
    return { folder: join(unescaped(point), top === '/' ? own : own.slice(top.length)), top: unescaped(point) };
  }
  return null;
};

/** Returns the folder of our unified control group, see `groupFolder`. */
export const unifiedFolder = (mountinfo: string, ownGroups: string): string | null =>
  groupFolder(mountinfo, ownGroups)?.folder ?? null;

const foldersBelow = (path: string): readonly string[] => {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .flatMap((entry) => [...foldersBelow(join(path, entry.name)), join(path, entry.name)]);
  } catch {
    return [];
  }
};

/**
 * Returns all pids in a group and its sub-groups; 0 stands for one outside of our pid namespace.
 * @throws the file system's error
 */
export const pidsInGroup = (path: string): readonly number[] =>
  [path, ...foldersBelow(path)].flatMap((folder) =>
    readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean).map(Number),
  );

const attempts = 5;

/** Writes to a file of a control group; false where the kernel refuses. */
export const tryWrite = (path: string, text: string): boolean => {
  try {
    writeFileSync(path, text);
    return true;
  } catch {
    return false;
  }
};

const moveOne = (folder: string, pid: number): boolean => tryWrite(join(folder, 'cgroup.procs'), String(pid));

/** Retries a few times; false if all attempts fail. */
const move = (folder: string): boolean => {
  for (let attempt = 0; attempt < attempts; attempt += 1) if (moveOne(folder, process.pid)) return true;
  return false;
};

/**
 * Returns an existing group of a run, such as an abandoned one. `home` is the group of this
 * process.
 */
export const controlGroupAt = (path: string, home: string): Enclosure => {
  // While this process is inside, the group can't be killed at once.
  let inside = false;
  return {
    path,
    during: (work) => {
      inside = move(path);
      try {
        return work();
      } finally {
        if (inside) inside = !move(home);
      }
    },
    pids: () => {
      try {
        return pidsInGroup(path);
      } catch {
        return null;
      }
    },
    kill: () => !inside && tryWrite(join(path, 'cgroup.kill'), '1'),
    moveOut: () => {
      try {
        for (const pid of pidsInGroup(path)) moveOne(home, pid);
      } catch {
        // The group is gone or unreadable, so there is nothing to move.
      }
    },
    remove: () => {
      try {
        for (const folder of [...foldersBelow(path), path]) rmdirSync(folder);
        return true;
      } catch {
        return false;
      }
    },
  };
};

/** The name of the control groups of a run. */
export const runGroupName = (id: string): string => `curfew-run-${id}`;

/**
 * Returns the folder of our own control group of version 2, below which groups can be made.
 * @throws where there is none, or it can't be written
 */
export const ownWritableGroup = (): string => {
  const home = unifiedFolder(readFileSync('/proc/self/mountinfo', 'utf8'), readFileSync('/proc/self/cgroup', 'utf8'));
  if (home === null) throw new Error('control groups of version 2 are not mounted here');
  try {
    accessSync(join(home, 'cgroup.procs'), constants.W_OK);
  } catch (error) {
    throw new Error(`its control group ${home} can not be written (${codeOf(error)})`, { cause: error });
  }
  return home;
};

/**
 * Makes a group for a run below our own, or returns why it can't. Never throws.
 * @param leaf the sub-group of our own that this process moves to, so that its group can hand
 *   controllers on (cgroups(7), no internal processes)
 */
export const makeControlGroup = (id: string, leaf: string | null = null): Enclosure | NoCgroup => {
  try {
    const own = ownWritableGroup();
    const home = leaf === null ? own : join(own, leaf);
    if (leaf !== null) {
      mkdirSync(home, { recursive: true });
      writeFileSync(join(home, 'cgroup.procs'), '0');
    }
    const path = join(own, runGroupName(id));
    mkdirSync(path);
    try {
      accessSync(join(path, 'cgroup.kill'), constants.W_OK);
      return controlGroupAt(path, home);
    } catch (error) {
      rmdirSync(path);
      throw error;
    }
  } catch (error) {
    return { reason: messageOf(error) };
  }
};
