import { asPid } from '../process/identity.ts';
import { hasEnded, type ProcessRow } from '../process/row.ts';
import type { Holders, ProcessProbe } from './probe.ts';
import { probeOf, type Subject } from './subject.ts';
import type { Watch } from './watch.ts';
import { standsStill } from './waits.ts';

/** The pipe a process is blocked reading; null for none, or where it can't be told apart. */
export const awaitedPipe = (subject: Subject, row: ProcessRow): string | null => {
  const probe = probeOf(subject, row.pid);
  if (probe?.wait?.kind !== 'read') return null;
  const { fd } = probe.wait;
  const readable = probe.pipes.filter(({ access }) => access !== 'write');
  if (fd !== null) return readable.find((end) => end.fd === fd)?.target ?? null;
  const targets = new Set(readable.map(({ target }) => target));
  return targets.size === 1 ? ([...targets][0] ?? null) : null;
};

/** The file whose lock a process waits for; null for none, or where the machine doesn't say. */
export const awaitedLock = (subject: Subject, row: ProcessRow): string | null => {
  const wait = probeOf(subject, row.pid)?.wait;
  if (wait?.kind !== 'lock' || wait.fd === null) return null;
  return subject.facts.get(row.pid)?.openFiles?.find(({ fd }) => fd === wait.fd)?.target ?? null;
};

/** Returns all processes that have a file or pipe open; null where that was not read. */
export const holdersOf = (subject: Subject, target: string): Holders | null =>
  subject.probe?.holders.get(target) ?? null;

/** Returns the processes that could write a pipe; null where that is not known. */
export const writersOf = (subject: Subject, target: string): readonly number[] | null => {
  const holders = holdersOf(subject, target);
  return holders === null ? null : holders.holders.filter(({ access }) => access !== 'read').map(({ pid }) => pid);
};

/**
 * Returns the processes that hold a lock another waits for. The kernel names the one that took it;
 * it may have ended and left the lock to those that inherited the file, which their open files
 * tell. null where none is found.
 */
export const lockHolderOf = (subject: Subject, row: ProcessRow): number | null => {
  const named = probeOf(subject, row.pid)?.lockHolder ?? null;
  const isAlive = (pid: number): boolean => {
    const holder = subject.table.rows.get(asPid(pid));
    return holder !== undefined && !hasEnded(holder);
  };
  if (named !== null && isAlive(named)) return named;
  const file = awaitedLock(subject, row);
  const holders = file === null ? null : holdersOf(subject, file);
  return holders?.holders.find(({ pid, locks }) => locks && pid !== Number(row.pid))?.pid ?? null;
};

/** Returns the processes waited for; null if unknown, or something else is waited for. */
const awaited = (subject: Subject, row: ProcessRow, probe: ProcessProbe): readonly number[] | null => {
  switch (probe.wait?.kind) {
    case 'read': {
      const pipe = awaitedPipe(subject, row);
      return pipe === null ? null : writersOf(subject, pipe);
    }
    case 'lock': {
      const holder = lockHolderOf(subject, row);
      return holder === null ? null : [holder];
    }
    case 'child': {
      const children = subject.tree.children(row.pid).filter((child) => !hasEnded(child));
      return children.length === 0 ? null : children.map(({ pid }) => Number(pid));
    }
    default:
      return null;
  }
};

/**
 * The members that can't go on by themselves, whatever happens outside: each waits only for itself
 * or for others of them. Fixpoint: members that wait for a running, external or unknown process are
 * dropped until none is left to drop.
 */
export const deadlocked = (subject: Subject, watch: Watch): ReadonlySet<number> => {
  const waiting = new Map<number, readonly number[]>();
  for (const { row } of subject.members) {
    const probe = probeOf(subject, row.pid);
    if (probe === null || probe.wait === null) continue;
    if (probe.wait.kind !== 'child' && !standsStill(subject, watch, row)) continue;
    const others = awaited(subject, row, probe);
    if (others !== null) waiting.set(row.pid, others);
  }
  for (let struck = true; struck;) {
    struck = false;
    for (const [pid, others] of waiting) {
      if (others.every((other) => waiting.has(other))) continue;
      waiting.delete(pid);
      struck = true;
    }
  }
  return new Set(waiting.keys());
};
