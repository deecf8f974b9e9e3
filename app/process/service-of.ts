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

/** The manager of a user's units: all of the user's is inside, so it manages none directly. */
const userManager = /^user@\d+\.service$/u;
/**
 * An application that the desktop started, as a service instead of a scope (Plasma does): a
 * terminal or an editor, not a service that the user set up. `@autostart` is: it was arranged to
 * run. https://systemd.io/DESKTOP_ENVIRONMENTS/
 */
const desktopApplication = /^app-.+@(?!autostart\.service$).+\.service$/u;

const segments = (path: string): readonly string[] => path.split('/').filter((segment) => segment !== '');

const serviceIn = (path: string): string | null => {
  const parts = segments(path);
  for (let at = parts.length - 1; at >= 0; at -= 1) {
    const part = parts[at] ?? '';
    if (part.endsWith('.scope') || userManager.test(part)) return null;
    if (part.endsWith('.service')) return desktopApplication.test(part) ? null : `/${parts.slice(0, at + 1).join('/')}`;
  }
  return null;
};

/**
 * The path of the systemd service that manages a process, down to the service itself; null when
 * none does, or when nothing could be read. Scopes, slices, a user's manager and applications of
 * the desktop are no services in this sense.
 */
export const serviceOf = (cgroups: ControlGroups | null): string | null => {
  if (cgroups === null) return null;
  for (const hierarchy of systemdHierarchies) {
    const service = serviceIn(cgroups[hierarchy] ?? '');
    if (service !== null) return service;
  }
  return null;
};
