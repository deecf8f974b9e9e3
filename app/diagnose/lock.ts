import { redactProcess } from '../format/secrets/redact.ts';
import { asPid } from '../process/identity.ts';
import { type Finder, type Subject, probeOf } from './subject.ts';
import { awaitedLock, deadlocked, lockHolderOf } from './standstill.ts';
import { standsStill, waitedSeconds } from './waits.ts';

/** Returns a process's command line, redacted and short, for those that wait; empty when gone. */
export const commandOf = (subject: Subject, pid: number): string => {
  const row = subject.table.rows.get(asPid(pid));
  if (row === undefined) return '';
  return redactProcess(row).slice(0, 120);
};

/**
 * A member that waits for a lock (flock or fcntl) held by a process outside the job, or by a member
 * that can't go on itself. Waiting for a member at work is how a build takes turns.
 */
export const findLock: Finder = (subject, watch) => {
  const stuck = deadlocked(subject, watch);
  const own = new Set(subject.members.map(({ row }) => Number(row.pid)));
  for (const { row } of subject.members) {
    if (probeOf(subject, row.pid)?.wait?.kind !== 'lock' || !standsStill(subject, watch, row)) continue;
    const holder = lockHolderOf(subject, row);
    if (holder !== null && own.has(holder) && !stuck.has(holder)) continue;
    const file = awaitedLock(subject, row);
    return {
      code: 'waiting-for-lock',
      figures: {
        pid: row.pid,
        seconds: waitedSeconds(subject, watch, row) ?? 0,
        ...(file === null ? {} : { file }),
        ...(holder === null ? {} : { holder, command: commandOf(subject, holder) }),
        ...(holder !== null && own.has(holder) ? { own: 1 } : {}),
      },
    };
  }
  return null;
};
