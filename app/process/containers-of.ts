import { segments } from './control-group-path.ts';
import type { ControlGroups } from './facts.ts';

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

/** A container, by the path of its control group; `runtime` is for users. */
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

/** Facts that were kept from an earlier look are the same objects, so each is searched once. */
const searched = new WeakMap<ControlGroups, readonly Container[]>();

/** The containers of a process, outermost of each hierarchy. Empty if none, or unreadable. */
export const containersOf = (cgroups: ControlGroups | null): readonly Container[] => {
  if (cgroups === null) return [];
  let found = searched.get(cgroups);
  if (found === undefined) {
    found = Object.values(cgroups).flatMap((path) => containerIn(path) ?? []);
    searched.set(cgroups, found);
  }
  return found;
};
