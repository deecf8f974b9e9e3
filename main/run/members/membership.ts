import { isAdopter } from '../../../app/jobs/lineage/adopter.ts';
import type { Pid } from '../../../app/process/identity.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import { descendants, processTree } from '../../../app/process/tree.ts';

export type Tie = 'root' | 'seen' | 'child' | 'cgroup' | 'group' | 'session' | 'cookie' | 'tree';

export interface RunMember {
  readonly row: ProcessRow;
  readonly by: readonly Tie[];
}

export interface RunTies {
  /** Pids and start times of earlier members, the command first. */
  readonly seen: ReadonlyMap<number, number>;
  /**
   * Our own pid if we are the subreaper of the run. Then parentage is complete: a process that is
   * no descendant was started by another program on the run's behalf (a terminal server, a service
   * manager, at) and is no member, whatever its environment says.
   */
  readonly adopter: number | null;
  /** The adopter had children before the run (a shell's exec): being its child proves nothing. */
  readonly strangers: boolean;
  readonly cgroup: ReadonlySet<number> | null;
  /** Group and session ids that members had at the scan before, when each was the run's own. */
  readonly groups: ReadonlySet<number>;
  readonly sessions: ReadonlySet<number>;
  readonly hasCookie: (row: ProcessRow) => boolean;
  /** Returns whether a process only adopts others: pid 1 and subreapers. */
  readonly isAdopter: (row: ProcessRow) => boolean;
  /** Start of the run in ticks; an older process is no member. */
  readonly sinceTicks: number;
  /** Curfew itself and its ancestors. */
  readonly excluded: ReadonlySet<number>;
}

/**
 * Returns those of the ids that are still the same group or session. The kernel gives a number to a
 * new process only when no group and no session has it, so a leader that was no member shows that
 * the id was empty in between.
 */
const notReused = (ids: ReadonlySet<number>, rows: ReadonlyMap<Pid, ProcessRow>, seen: RunTies['seen']) =>
  new Set(
    [...ids].filter((id) => {
      const leader = rows.get(id as Pid);
      return leader === undefined || seen.get(id) === leader.startTicks;
    }),
  );

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

const shell = /^-?(?:ba|da|z|k|mk|a|c|tc|fi)?sh$/u;

/**
 * Returns whether a process only adopts others: pid 1, a known subreaper, or an ancestor of `curfew
 * run` that can be one. A shell can't: what it has for children it started.
 */
export const adoptersAmong =
  (ancestors: readonly { readonly pid: number; readonly startTicks: number }[]): RunTies['isAdopter'] =>
  (row) =>
    isAdopter(row) ||
    (!shell.test(row.comm) && ancestors.some((one) => one.pid === row.pid && one.startTicks === row.startTicks));

/**
 * The cookie counts if the parent is an adopter or gone. Any other living parent passed on an
 * environment that it was given (a terminal server that of its client, a program that of a `.env`),
 * and so does what that started: below a member a process is one by descent.
 */
const cookieCounts = (row: ProcessRow, rows: ReadonlyMap<Pid, ProcessRow>, ties: RunTies): boolean => {
  const parent = rows.get(row.ppid);
  return parent === undefined || ties.isAdopter(parent);
};

const isSeed = (by: readonly Tie[], row: ProcessRow, rows: ReadonlyMap<Pid, ProcessRow>, ties: RunTies): boolean => {
  if (by.includes('seen') || by.includes('cgroup')) return true;
  if (by.includes('child')) return !ties.strangers || by.some((tie) => tie !== 'child');
  if (ties.adopter !== null) return false;
  if (by.includes('group') || by.includes('session')) return true;
  return by.includes('cookie') && cookieCounts(row, rows, ties);
};

/**
 * Returns the members of a run: every process with a tie, and its descendants. Never contains
 * Curfew, its ancestors, pid 1, kernel threads or a process older than the run.
 */
export const membersOf = (rows: ReadonlyMap<Pid, ProcessRow>, known: RunTies): ReadonlyMap<Pid, RunMember> => {
  const ties = {
    ...known,
    groups: notReused(known.groups, rows, known.seen),
    sessions: notReused(known.sessions, rows, known.seen),
  };
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
 * Returns the group or session ids that belong to the run: led by a member, or already its own and
 * never empty since. The kernel does not reuse an id while it has members, and a leader that is no
 * member shows that the id was reused.
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
