import type { Pid } from '../../../app/process/identity.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import { descendants, processTree } from '../../../app/process/tree.ts';

/** What ties a process to a run. */
export type Tie = 'root' | 'seen' | 'child' | 'cgroup' | 'group' | 'session' | 'cookie' | 'tree';

/** A process of a run with what ties it there. */
export interface RunMember {
  readonly row: ProcessRow;
  readonly by: readonly Tie[];
}

/** What is known of a run when its members are looked for. */
export interface RunTies {
  /** Identities that were members before: pid and start time. The command itself is the first. */
  readonly seen: ReadonlyMap<number, number>;
  /**
   * Our own pid where we are the subreaper of everything that was started: then parentage is complete, and whoever is no descendant was started by somebody
   * else on the run's behalf (a terminal server, a user's service manager, at) and does not belong to it, whatever is in its environment.
   */
  readonly adopter: number | null;
  /** The adopter had children before the run began (a shell that exec'ed us): then a child alone proves nothing. */
  readonly strangers: boolean;
  readonly cgroup: ReadonlySet<number> | null;
  /** Group and kernel session ids that a member led, and that were not empty since. */
  readonly groups: ReadonlySet<number>;
  readonly sessions: ReadonlySet<number>;
  readonly hasCookie: (row: ProcessRow) => boolean;
  /** True for who only adopted a process: pid 1 and its like. */
  readonly isAdopter: (row: ProcessRow) => boolean;
  /** Nothing that started before belongs to the run. */
  readonly sinceTicks: number;
  /** Curfew itself and what started it. */
  readonly excluded: ReadonlySet<number>;
}

const tiesOf = (row: ProcessRow, ties: RunTies): readonly Tie[] => {
  const found: Tie[] = [];
  if (ties.seen.get(row.pid) === row.startTicks) found.push('seen');
  if (ties.adopter !== null && row.ppid === ties.adopter) found.push('child');
  if (ties.cgroup?.has(row.pid) === true) found.push('cgroup');
  if (ties.groups.has(row.pgid)) found.push('group');
  if (ties.sessions.has(row.sid)) found.push('session');
  if (ties.hasCookie(row)) found.push('cookie');
  return found;
};

/**
 * A cookie counts when whoever is the parent only adopted the process, or is gone. A living stranger as parent started it with an environment that was handed
 * on, as a terminal server does for `gnome-terminal -- CMD`.
 */
const cookieCounts = (row: ProcessRow, rows: ReadonlyMap<Pid, ProcessRow>, ties: RunTies): boolean => {
  const parent = rows.get(row.ppid);
  return parent === undefined || ties.isAdopter(parent) || ties.hasCookie(parent);
};

const isSeed = (by: readonly Tie[], row: ProcessRow, rows: ReadonlyMap<Pid, ProcessRow>, ties: RunTies): boolean => {
  if (by.includes('seen') || by.includes('cgroup')) return true;
  if (by.includes('child')) return !ties.strangers || by.some((tie) => tie !== 'child');
  if (ties.adopter !== null) return false;
  if (by.includes('group') || by.includes('session')) return true;
  return by.includes('cookie') && cookieCounts(row, rows, ties);
};

/**
 * Who belongs to a run: everybody tied to it and everybody below them. Pure. Never contains Curfew, what started it, pid 1, kernel threads, or anybody older than
 * the run.
 */
export const membersOf = (rows: ReadonlyMap<Pid, ProcessRow>, ties: RunTies): ReadonlyMap<Pid, RunMember> => {
  const may = (row: ProcessRow): boolean =>
    row.pid > 1 && !row.kernelThread && row.startTicks >= ties.sinceTicks && !ties.excluded.has(row.pid);
  const tree = processTree(rows);
  const members = new Map<Pid, RunMember>();
  const seeds: ProcessRow[] = [];
  for (const row of rows.values()) {
    if (!may(row)) continue;
    const by = tiesOf(row, ties);
    if (by.length === 0 || !isSeed(by, row, rows, ties)) continue;
    members.set(row.pid, { row, by });
    seeds.push(row);
  }
  for (const seed of seeds) {
    for (const row of descendants(tree, seed.pid, may)) {
      if (!members.has(row.pid)) members.set(row.pid, { row, by: ['tree', ...tiesOf(row, ties)] });
    }
  }
  return members;
};

/**
 * The ids of groups or kernel sessions that are a run's own now: led by a member, or already its own and not yet empty. An id is not handed out again while anybody
 * is in its group, and a leader who is no member shows that it was.
 */
export const ownIds = (
  rows: ReadonlyMap<Pid, ProcessRow>,
  members: ReadonlyMap<Pid, RunMember>,
  before: ReadonlySet<number>,
  idOf: (row: ProcessRow) => number,
): ReadonlySet<number> => {
  const own = new Set<number>();
  for (const row of rows.values()) {
    const id = idOf(row);
    if (id === row.pid && members.has(row.pid)) own.add(id);
    else if (before.has(id)) own.add(id);
  }
  for (const id of own) {
    const leader = rows.get(id as Pid);
    if (leader !== undefined && idOf(leader) === id && !members.has(leader.pid)) own.delete(id);
  }
  return own;
};
