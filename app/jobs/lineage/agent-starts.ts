import { agentGroupPrefix, asCallGroupKey, type CallGroupKey } from '../../agents/common/call-group.ts';
import { kept } from '../../format/kept.ts';
import type { ControlGroups } from '../../process/facts.ts';
import type { AgentStart, StartedGroup } from './evidence.ts';

/*
 * Control groups that Curfew made for an agent. Their owner can move a process into them, so a
 * process counts only where it is in one of them in each hierarchy in which Curfew made any.
 */

const holdsIn = (groups: ControlGroups, { hierarchy, path }: StartedGroup): boolean => {
  const [, own] = Object.entries(groups).find(([names]) => names.split(',').includes(hierarchy)) ?? [];
  return own === path || own?.startsWith(`${path}/`) === true;
};

const known = new WeakMap<ControlGroups, boolean>();

/** Asked of every process at every look, so it is worked out once for each. */
const isInAny = (groups: ControlGroups): boolean =>
  kept(known, groups, () => Object.values(groups).some((path) => path.includes(`/${agentGroupPrefix}`)));

/** Whether the agent moves its tool calls to no group of their own. */
export const sharesGroup = ({ groups }: Pick<AgentStart, 'groups'>): boolean =>
  groups.every(({ holds }) => holds === 'agent');

/** The group of its tool calls as text: the agent's own where they share one; null for none. */
export const startedCallGroup = ({ groups }: Pick<AgentStart, 'groups'>): CallGroupKey | null => {
  const group = groups.find(({ holds }) => holds === 'calls') ?? groups[0];
  return group === undefined ? null : asCallGroupKey(`${group.hierarchy}:${group.path}`);
};

/**
 * Returns what a process with these control groups is beside the agent of this start: one of its
 * tool calls, anything else in its groups, or null for what is in none of them, or not in all.
 */
export const placeInStart = (groups: ControlGroups | null, start: AgentStart): StartedGroup['holds'] | null => {
  if (groups === null || !isInAny(groups)) return null;
  const hierarchies = new Set(start.groups.map(({ hierarchy }) => hierarchy));
  const isInAll = [...hierarchies].every((hierarchy) =>
    start.groups.some((one) => one.hierarchy === hierarchy && holdsIn(groups, one)),
  );
  if (!isInAll) return null;
  return start.groups.some((one) => one.holds === 'calls' && holdsIn(groups, one)) ? 'calls' : 'agent';
};
