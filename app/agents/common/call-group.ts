import type { ControlGroups } from '../../process/facts.ts';

/**
 * The control group that an agent gives to what its tool calls start. All agents of this kind in
 * the same parent group share one, so it tells the agent's kind and no session.
 */
export interface CallGroupForm {
  /** The last name of its path. */
  readonly name: string;
  /** The controller of cgroup 1 whose hierarchy it lies in; without that, it lies in cgroup 2. */
  readonly controller: string;
}

/**
 * A control group as text, equal for equal groups: its hierarchy (`memory:`, empty for cgroup 2)
 * and its path. Control groups are inherited by fork and exec, and left only by a write to
 * cgroupfs: neither setsid, nor a double fork, nor the death of the parent changes them.
 * https://docs.kernel.org/admin-guide/cgroup-v2.html#processes
 */
export type CallGroupKey = string & { readonly __brand: 'CallGroupKey' };

/** Marks a text as a control group's; the border that reads one checks it. */
export const asCallGroupKey = (text: string): CallGroupKey => text as CallGroupKey;

/** Begins the names of the groups that Curfew makes for agents. */
export const agentGroupPrefix = 'curfew-agent-';

/** True for a group that Curfew made for an agent, by its name. */
export const isNamedByCurfew = (group: CallGroupKey): boolean => group.includes(`/${agentGroupPrefix}`);

interface Place {
  readonly hierarchy: 'unified' | 'controller';
  readonly names: readonly string[];
}

const namesOf = (path: string): readonly string[] => path.split('/').filter((name) => name !== '');

const placeIn = (groups: ControlGroups, { controller }: CallGroupForm): Place | null => {
  const mounted = Object.keys(groups).find((hierarchy) => hierarchy.split(',').includes(controller));
  const path = groups[mounted ?? ''];
  if (path === undefined) return null;
  return { hierarchy: mounted === undefined ? 'unified' : 'controller', names: namesOf(path) };
};

const keyOf = ({ hierarchy }: Place, names: readonly string[], { controller }: CallGroupForm): CallGroupKey =>
  asCallGroupKey(`${hierarchy === 'unified' ? '' : controller}:/${names.join('/')}`);

/** The group of tool calls that the process is in, or below; null for none. */
const groupAround = (place: Place, form: CallGroupForm): CallGroupKey | null => {
  const at = place.names.indexOf(form.name);
  return at === -1 ? null : keyOf(place, place.names.slice(0, at + 1), form);
};

/**
 * Returns the group of tool calls that a process is in; null for none, and for a process whose
 * groups can't be read. The name alone proves nothing: a user can make a group of that name.
 */
export const callGroupAround = (groups: ControlGroups | null, form: CallGroupForm): CallGroupKey | null => {
  const place = groups === null ? null : placeIn(groups, form);
  return place === null ? null : groupAround(place, form);
};

/**
 * Returns the group that an agent with these control groups gives to its tool calls, or would give;
 * null where that can't be told. On cgroup 1 it lies below the agent's own. On cgroup 2, where a
 * group with processes can't hand controllers on, it lies beside it. An agent inside such a group
 * uses that one.
 */
export const callGroupGiven = (groups: ControlGroups | null, form: CallGroupForm): CallGroupKey | null => {
  const place = groups === null ? null : placeIn(groups, form);
  if (place === null) return null;
  const parent = place.hierarchy === 'unified' ? place.names.slice(0, -1) : place.names;
  return groupAround(place, form) ?? keyOf(place, [...parent, form.name], form);
};
