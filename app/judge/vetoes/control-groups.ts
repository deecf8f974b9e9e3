import type { ControlGroups } from '../../process/facts.ts';

/**
 * Reading control group paths. A unit of systemd is a folder named after it, and units nest: an application of the desktop lives in
 * `/user.slice/user-1000.slice/user@1000.service/app.slice/app-gnome-code-4711.scope`. The unit that manages a process is the innermost
 * service or scope; slices only sort. https://systemd.io/CGROUP_DELEGATION/ and systemd.special(7)
 */

/** Where systemd keeps its units: the unified hierarchy, or its own named one beside the controllers of version 1. */
const systemdHierarchies = ['', 'name=systemd'];

/** The manager of a user's own units: everything of the user is inside, so it manages nothing directly. */
const userManager = /^user@\d+\.service$/u;
/**
 * An application that the desktop started, as a service instead of a scope (Plasma does): a terminal or an editor, not a service that
 * somebody set up. `@autostart` is: it was arranged to run. https://systemd.io/DESKTOP_ENVIRONMENTS/
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
 * The path of the systemd service that manages a process, down to the service itself; null when none does, or when nothing could be
 * read. Scopes, slices, a user's manager and applications of the desktop are no services in this sense.
 */
export const serviceOf = (cgroups: ControlGroups | null): string | null => {
  if (cgroups === null) return null;
  for (const hierarchy of systemdHierarchies) {
    const service = serviceIn(cgroups[hierarchy] ?? '');
    if (service !== null) return service;
  }
  return null;
};

/** How container runtimes name the control group of a container. */
const containers: readonly { readonly runtime: string; readonly segment: RegExp }[] = [
  { runtime: 'Docker', segment: /^docker-[\da-f]{12,}\.scope$/u },
  { runtime: 'Podman', segment: /^libpod-(?:conmon-)?[\da-f]{12,}(?:\.scope)?$/u },
  { runtime: 'Kubernetes', segment: /^kubepods(?:[.-].*)?$/u },
  { runtime: 'containerd', segment: /^(?:cri-containerd|nerdctl)-[\da-f]{12,}\.scope$/u },
  { runtime: 'CRI-O', segment: /^crio-(?:conmon-)?[\da-f]{12,}(?:\.scope)?$/u },
  { runtime: 'LXC', segment: /^lxc\.(?:payload|monitor)(?:\..+)?$/u },
  { runtime: 'systemd-machined', segment: /^machine-.+\.scope$/u },
  { runtime: 'systemd-nspawn', segment: /^systemd-nspawn@.+\.service$/u },
  { runtime: 'Apptainer', segment: /^(?:apptainer|singularity)-.+\.scope$/u },
];
/** The id of a container, whichever runtime gave it: `/default/ID`, `/kubepods/pod…/ID`. */
const ociId = /^[\da-f]{64}$/u;
/** Folders below which each folder is a container. */
const parents: ReadonlyMap<string, string> = new Map([
  ['docker', 'Docker'],
  ['lxc', 'LXC'],
  ['ecs', 'Amazon ECS'],
  ['garden', 'Garden'],
  ['libpod_parent', 'Podman'],
  ['machine.slice', 'systemd-machined'],
]);

/** A container, by the path of its control group; `runtime` is for people. */
export interface Container {
  readonly path: string;
  readonly runtime: string;
}

const isContainerName = (part: string): boolean =>
  ociId.test(part) || containers.some(({ runtime, segment }) => runtime !== 'Kubernetes' && segment.test(part));

const containerIn = (path: string): Container | null => {
  const parts = segments(path);
  for (const [at, part] of parts.entries()) {
    const named = containers.find(({ segment }) => segment.test(part))?.runtime;
    const runtime = named ?? parents.get(parts[at - 1] ?? '') ?? (ociId.test(part) ? 'OCI' : undefined);
    if (runtime === undefined) continue;
    // All pods share their first folders; the container is the innermost that is named like one.
    const end = runtime === 'Kubernetes' ? parts.findLastIndex(isContainerName) : at;
    return { path: `/${parts.slice(0, Math.max(at, end) + 1).join('/')}`, runtime };
  }
  return null;
};

/** The containers that a process is in, outermost of each hierarchy. Empty when in none, or when nothing could be read. */
export const containersOf = (cgroups: ControlGroups | null): readonly Container[] =>
  cgroups === null ? [] : Object.values(cgroups).flatMap((path) => containerIn(path) ?? []);
