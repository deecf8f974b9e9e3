import { mkdirSync, readFileSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path/posix';
import { codeOf, messageOf } from '../../../app/format/error-message.ts';
import { agentGroupPrefix, type CallGroupForm } from '../../../app/agents/common/call-group.ts';
import { controlGroupsIn } from '../linux/facts/member-facts.ts';
import { bound, boundedBy, type Bounded, type Bounds, firstVersionFolder, share } from './bounds.ts';
import { groupFolder, ownWritableGroup, tryWrite } from './control-group.ts';
import { joinUserScope } from './user-scope.ts';

/** A control group of one agent. A folder made later in its place has another inode. */
export interface AgentGroup {
  readonly folder: string;
  readonly inode: number;
  /** Its hierarchy of version 1; empty for version 2. */
  readonly hierarchy: string;
  /** As /proc/PID/cgroup has it. */
  readonly path: string;
  /** `calls`: only tool calls of the agent, and what they start. */
  readonly holds: 'agent' | 'calls';
}

/** The groups that this process is in now. */
export interface AgentGroups {
  readonly groups: readonly AgentGroup[];
  readonly scope: string | null;
  /** Bounds that hold for the agent and its tool calls together. */
  readonly shared: readonly Bounded[];
  /** Bounds that can't be held here. */
  readonly unbounded: readonly Bounded[];
  /** Why no group, or not every bound, could be had; null: all is there. */
  readonly reason: string | null;
}

export interface AgentGroupsOrder {
  readonly id: string;
  readonly bounds: Bounds;
  /** How the agent names the group to which it moves its tool calls; null: it moves none. */
  readonly calls: CallGroupForm | null;
}

const ownGroups = (): ReturnType<typeof controlGroupsIn> => controlGroupsIn(readFileSync('/proc/self/cgroup', 'utf8'));

/** Returns whether this process is in the group of an agent that `curfew agent` started. */
export const isInAgentGroup = (): boolean => {
  try {
    return Object.values(ownGroups()).some((path) => path.split('/').some((name) => name.startsWith(agentGroupPrefix)));
  } catch {
    return false;
  }
};

const move = (folder: string): void => {
  if (!tryWrite(join(folder, 'cgroup.procs'), '0')) throw new Error(`this process could not move to ${folder}`);
};

const removed = (folders: readonly string[]): void => {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      // A process is inside, or it was never made.
    }
  }
};

/** A folder below which this agent's groups of version 2 are made; it has no process then. */
interface Inner {
  readonly folder: string;
  readonly scope: string | null;
  readonly missing: readonly Bounded[];
}

/** Makes a group below our own; `missing` are controllers that our own can't hand on. */
const innerBelowOwn = (name: string, wanted: readonly Bounded[]): Inner => {
  const own = ownWritableGroup();
  const folder = join(own, name);
  mkdirSync(folder);
  return { folder, scope: null, missing: share(own, wanted) };
};

/**
 * Returns the inner node: below our own group where that has all wanted controllers, else a scope
 * of the user's service manager, else below our own without them.
 */
const innerNode = async (
  name: string,
  wanted: readonly Bounded[],
): Promise<Inner & { readonly reason: string | null }> => {
  let own: Inner | null = null;
  let reason: string;
  try {
    own = innerBelowOwn(name, wanted);
    if (own.missing.length === 0) return { ...own, reason: null };
    reason = `its control group has no controller to share out for ${own.missing.join(' and ')}`;
  } catch (error) {
    reason = messageOf(error);
  }
  const joined = await joinUserScope(name, 'curfew.slice');
  if ('scope' in joined) {
    if (own !== null) removed([own.folder]);
    const folder = ownWritableGroup();
    const here = readFileSync(join(folder, 'cgroup.controllers'), 'utf8').trim().split(' ');
    const missing = wanted.filter((one) => !here.includes(one));
    return { folder, scope: joined.scope, missing, reason: missing.length === 0 ? null : reason };
  }
  reason = `${reason}; ${joined.reason}`;
  if (own !== null) return { ...own, reason };
  throw new Error(reason);
};

/** Half of the usual share: what an agent starts gives way to the agent. */
const weights = { 'cpu.weight': '50', 'io.weight': '50' } as const;

/** Where the kernel has it in version 1, a controller is not in version 2. */
const isFirst = (controller: Bounded): boolean => firstVersionFolder(controller) !== null;

/** Moves this process into a group of version 2 of its own, with one beside it for tool calls. */
const enterSecond = async ({ id, bounds, calls }: AgentGroupsOrder): Promise<AgentGroups> => {
  const wanted = boundedBy(bounds).filter((one) => !isFirst(one));
  const { folder, scope, missing, reason } = await innerNode(`${agentGroupPrefix}${id}`, wanted);
  const agent = join(folder, 'agent');
  const beside = calls === null || isFirst('memory') ? null : join(folder, calls.name);
  mkdirSync(agent);
  if (beside !== null) mkdirSync(beside);
  move(agent);
  share(folder, ['cpu', 'io', 'memory', 'pids']);
  const holder = beside ?? agent;
  const unbounded = wanted.filter(
    (controller) => missing.includes(controller) || !bound({ folder: holder, controller, version: 2 }, bounds),
  );
  if (beside !== null) for (const [file, value] of Object.entries(weights)) tryWrite(join(beside, file), value);
  const path = ownGroups()[''] ?? '';
  const groups = [agent, ...(beside === null ? [] : [beside])].map((one): AgentGroup => ({
    folder: one,
    inode: statSync(one).ino,
    hierarchy: '',
    path: one === agent ? path : join(path, '..', calls?.name ?? ''),
    holds: one === agent ? 'agent' : 'calls',
  }));
  const shared = beside === null ? wanted.filter((one) => !unbounded.includes(one)) : [];
  return { groups, scope, shared, unbounded, reason };
};

/**
 * Moves this process into a group of one hierarchy of version 1. Tool calls have theirs below the
 * agent's, and only in that of memory.
 */
const enterFirst = (controller: Bounded, home: string, { id, bounds, calls }: AgentGroupsOrder): AgentGroups => {
  const folder = join(home, `${agentGroupPrefix}${id}`);
  const below = calls === null || controller !== calls.controller ? null : join(folder, calls.name);
  const made = [folder, ...(below === null ? [] : [below])];
  try {
    for (const one of made) mkdirSync(one);
    const isBounded = bound({ folder: below ?? folder, controller, version: 1 }, bounds);
    move(folder);
    const path = Object.entries(ownGroups()).find(([names]) => names.split(',').includes(controller))?.[1] ?? '';
    const groups = made.map((one): AgentGroup => ({
      folder: one,
      inode: statSync(one).ino,
      hierarchy: controller,
      path: one === folder ? path : join(path, calls?.name ?? ''),
      holds: one === folder ? 'agent' : 'calls',
    }));
    return {
      groups,
      scope: null,
      shared: isBounded && below === null ? [controller] : [],
      unbounded: isBounded ? [] : [controller],
      reason: isBounded ? null : `${controller} can't be bounded in ${folder}`,
    };
  } catch (error) {
    removed(made);
    throw error;
  }
};

/**
 * Moves this process into control groups of its own, within these bounds, and makes those of the
 * tool calls of the agent that it is about to become. What can't be had is said. Never throws.
 * https://docs.kernel.org/admin-guide/cgroup-v2.html#no-internal-process-constraint
 */
export const enterAgentGroups = async (order: AgentGroupsOrder): Promise<AgentGroups> => {
  const asked = boundedBy(order.bounds);
  const parts: AgentGroups[] = [];
  const trying = async (
    controllers: readonly Bounded[],
    work: () => AgentGroups | Promise<AgentGroups>,
  ): Promise<void> => {
    try {
      parts.push(await work());
    } catch (error) {
      const unbounded = controllers.filter((one) => asked.includes(one));
      parts.push({ groups: [], scope: null, shared: [], unbounded, reason: messageOf(error) });
    }
  };
  if (process.platform !== 'linux')
    return { groups: [], scope: null, shared: [], unbounded: asked, reason: 'control groups are for Linux' };
  const first = (['memory', 'pids'] as const).flatMap((controller) => {
    const home = firstVersionFolder(controller);
    return home === null ? [] : [{ controller, home }];
  });
  const second = (['memory', 'pids'] as const).filter((one) => !first.some(({ controller }) => controller === one));
  await trying(second, async () => enterSecond(order));
  for (const { controller, home } of first)
    if (asked.includes(controller) || controller === order.calls?.controller)
      await trying([controller], () => enterFirst(controller, home, order));
  return {
    groups: parts.flatMap(({ groups }) => groups),
    scope: parts.find(({ scope }) => scope !== null)?.scope ?? null,
    shared: parts.flatMap(({ shared }) => shared),
    unbounded: parts.flatMap(({ unbounded }) => unbounded),
    reason: parts.find(({ reason }) => reason !== null)?.reason ?? null,
  };
};

/** Returns whether a group is named for this start, and its path is that of its folder here. */
export const isNamedFor = ({ folder, hierarchy, path, holds }: AgentGroup, id: string): boolean => {
  const [last, inner, ...above] = path.split('/').toReversed();
  // Joined with a mount it would lead to another group.
  if ([last, inner, ...above].includes('..')) return false;
  const own = `${agentGroupPrefix}${id}`;
  const isNamed = (name: string | undefined): boolean => name === own || name === `${own}.scope`;
  if (!isNamed(inner) && !(hierarchy !== '' && holds === 'agent' && isNamed(last))) return false;
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8');
  return groupFolder(mounts, `0:${hierarchy}:${path}`, hierarchy === '' ? undefined : hierarchy)?.folder === folder;
};

/** Returns whether a group is another than that which was made: its folder has another inode. */
export const isReplaced = ({ folder, inode }: AgentGroup): boolean => {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found !== undefined && found.ino !== inode;
};

/**
 * Removes the groups of a start that are empty and the very ones that were made; true if none is
 * left. Touches no folder where the record names one that is not a group of this start.
 */
export const removeAgentGroups = ({ id, groups }: { id: string; groups: readonly AgentGroup[] }): boolean => {
  if (!groups.every((group) => isNamedFor(group, id))) return false;
  // What lies below comes first.
  const all = groups.toSorted((left, right) => right.folder.length - left.folder.length);
  let isGone = true;
  for (const { folder, inode, hierarchy, holds } of all) {
    try {
      if (statSync(folder).ino !== inode) continue;
      rmdirSync(folder);
      // The inner node of version 2.
      if (hierarchy === '' && holds === 'agent') rmdirSync(join(folder, '..'));
    } catch (error) {
      isGone &&= codeOf(error) === 'ENOENT';
    }
  }
  return isGone;
};
