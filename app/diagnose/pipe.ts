import { awaitedInput } from './standard-input.ts';
import type { Finder } from './subject.ts';
import { probeOf } from './subject.ts';
import { awaitedPipe, deadlocked, holdersOf, writersOf } from './standstill.ts';
import { standsStill, waitedSeconds } from './waits.ts';

/**
 * Reports a member that reads a pipe which no process can write any more: its other end is held
 * only by the reader itself, or by members that wait in turn for the reader. Reports too a member
 * that opens a named pipe whose other end no process opens. A reader whose writer is at work, or is
 * outside the job, waits its turn.
 */
export const findPipe: Finder = (subject, watch) => {
  const stuck = deadlocked(subject, watch);
  for (const { row } of subject.members) {
    const seconds = waitedSeconds(subject, watch, row) ?? 0;
    if (probeOf(subject, row.pid)?.wait?.kind === 'open' && standsStill(subject, watch, row))
      return { code: 'waiting-on-pipe', figures: { pid: row.pid, seconds, writer: 'unopened' } };
    const pipe = awaitedPipe(subject, row);
    if (pipe === null || !stuck.has(row.pid) || awaitedInput(subject, row) !== null) continue;
    const others = (writersOf(subject, pipe) ?? []).filter((pid) => pid !== Number(row.pid));
    const sure = holdersOf(subject, pipe)?.complete === true;
    return {
      code: 'waiting-on-pipe',
      figures: {
        pid: row.pid,
        file: pipe,
        seconds,
        writer: others.length === 0 ? 'itself' : 'job',
        ...(others.length === 0 ? {} : { writers: others.slice(0, 5).join(', ') }),
        ...(sure ? {} : { doubt: 1 }),
      },
    };
  }
  return null;
};
