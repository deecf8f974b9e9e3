import { awaitedInput } from './standard-input.ts';
import type { Finder } from './subject.ts';
import { probeOf } from './subject.ts';
import { awaitedPipe, deadlocked, holdersOf, writersOf } from './standstill.ts';
import { standsStill, waitedSeconds } from './waits.ts';

/**
 * A member that reads a pipe which nobody can write any more: the only ones who hold its other end are the reader itself, or members that
 * wait in turn for the reader; or one that opens a named pipe whose other end nobody opens. A reader whose writer is at work, or is somebody
 * outside the job, just waits for its turn.
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
