import type { ControlGroups } from './facts.ts';

/**
 * Reading control group paths. A unit of systemd is a folder named after it, and units nest: an
 * application of the desktop lives in
 * `/user.slice/user-1000.slice/user@1000.service/app.slice/app-gnome-code-4711.scope`. The unit
 * that manages a process is the innermost service or scope; slices only sort.
 * https://systemd.io/CGROUP_DELEGATION/ and systemd.special(7)
 */

/** Where systemd has its units: the unified hierarchy, or its named one of version 1. */
const systemdHierarchies = ['', 'name=systemd'];

/** Returns the names in the path of a control group, the outermost first. */
export const segments = (path: string): readonly string[] => path.split('/').filter((segment) => segment !== '');

/**
 * Returns the path down to one of the units around a process, the innermost asked first; null where
 * there is none, or nothing could be read.
 * @param isIt true: that one; false: go on outwards; null: there is none
 */
export const unitPath = (cgroups: ControlGroups | null, isIt: (name: string) => boolean | null): string | null => {
  for (const hierarchy of systemdHierarchies) {
    const parts = segments(cgroups?.[hierarchy] ?? '');
    const at = parts.findLastIndex((part) => isIt(part) !== false);
    if (at >= 0 && isIt(parts[at] ?? '') === true) return `/${parts.slice(0, at + 1).join('/')}`;
  }
  return null;
};
