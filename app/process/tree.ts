import type { GroupId, KernelSessionId, Pid } from './identity.ts';
import type { ProcessRow } from './row.ts';

/** A table's relations, built once per look: children, groups and kernel sessions. */
export interface ProcessTree {
  readonly row: (pid: Pid) => ProcessRow | undefined;
  readonly children: (pid: Pid) => readonly ProcessRow[];
  readonly group: (pgid: GroupId) => readonly ProcessRow[];
  readonly session: (sid: KernelSessionId) => readonly ProcessRow[];
  /** The parents, nearest first, to pid 1 or the table's end. Never loops on a strange table. */
  readonly ancestors: (pid: Pid) => readonly ProcessRow[];
}

const groupBy = <Key>(rows: Iterable<ProcessRow>, keyOf: (row: ProcessRow) => Key): Map<Key, ProcessRow[]> => {
  const groups = new Map<Key, ProcessRow[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
};

/** Builds a table's relations, lazily: a steady look often asks for one of them only. */
export const processTree = (rows: ReadonlyMap<Pid, ProcessRow>): ProcessTree => {
  let byParent: Map<Pid, ProcessRow[]> | null = null;
  let byGroup: Map<GroupId, ProcessRow[]> | null = null;
  let bySession: Map<KernelSessionId, ProcessRow[]> | null = null;
  return {
    row: (pid) => rows.get(pid),
    children: (pid) => (byParent ??= groupBy(rows.values(), (row) => row.ppid)).get(pid) ?? [],
    group: (pgid) => (byGroup ??= groupBy(rows.values(), (row) => row.pgid)).get(pgid) ?? [],
    session: (sid) => (bySession ??= groupBy(rows.values(), (row) => row.sid)).get(sid) ?? [],
    ancestors: (pid) => {
      const seen = new Set<Pid>([pid]);
      const chain: ProcessRow[] = [];
      let row = rows.get(pid);
      while (row !== undefined && !seen.has(row.ppid)) {
        seen.add(row.ppid);
        row = rows.get(row.ppid);
        if (row !== undefined) chain.push(row);
      }
      return chain;
    },
  };
};

const known = new WeakMap<ReadonlyMap<Pid, ProcessRow>, ProcessTree>();

/**
 * The relations of a table that doesn't change any more, built once for all who ask: hundreds of
 * reapings go by the same look, and each of them going through all of its rows took longer than
 * their signals.
 */
export const relationsOf = (rows: ReadonlyMap<Pid, ProcessRow>): ProcessTree => {
  let tree = known.get(rows);
  if (tree === undefined) known.set(rows, (tree = processTree(rows)));
  return tree;
};

/** All descendants, breadth first, without itself. `enter` false skips a branch. Never loops. */
export const descendants = (
  tree: ProcessTree,
  pid: Pid,
  enter: (row: ProcessRow) => boolean = () => true,
): readonly ProcessRow[] => {
  const found: ProcessRow[] = [];
  const seen = new Set<Pid>([pid]);
  let level: readonly Pid[] = [pid];
  while (level.length > 0) {
    const next: Pid[] = [];
    for (const parent of level) {
      for (const child of tree.children(parent)) {
        if (seen.has(child.pid) || !enter(child)) continue;
        seen.add(child.pid);
        found.push(child);
        next.push(child.pid);
      }
    }
    level = next;
  }
  return found;
};

/** Returns a row's parents, nearest first, not process 1; it may be fresher. Never loops. */
export const parentsOf = (
  row: Pick<ProcessRow, 'pid' | 'ppid'>,
  rows: ReadonlyMap<Pid, ProcessRow>,
): readonly ProcessRow[] => {
  const parents: ProcessRow[] = [];
  const seen = new Set([row.pid]);
  let parent = rows.get(row.ppid);
  while (parent !== undefined && parent.pid > 1 && !seen.has(parent.pid)) {
    seen.add(parent.pid);
    parents.push(parent);
    parent = rows.get(parent.ppid);
  }
  return parents;
};
