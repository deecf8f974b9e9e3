import type { ProcessRow } from '../process/row.ts';
import type { ProcessProbe } from './probe.ts';
import { probeOf, secondsSince, standstillSeconds, type Subject } from './subject.ts';
import { maxFollowed, type Watch } from './watch.ts';

const standing: ReadonlySet<string> = new Set(['read', 'open', 'lock']);

const kindOf = (row: ProcessRow, probe: ProcessProbe): string | null => {
  if (row.state === 'D') return 'disk';
  if (row.state === 'T') return 'stopped';
  const { wait } = probe;
  if (wait === null || !standing.has(wait.kind)) return null;
  return 'fd' in wait ? `${wait.kind}:${wait.fd ?? '?'}` : wait.kind;
};

/**
 * The same text means: the same process, waiting for the same thing, and it has not run since; null
 * for one that waits for nothing of the kind.
 */
const waitKey = (row: ProcessRow, probe: ProcessProbe): string | null => {
  const kind = kindOf(row, probe);
  // Where the machine doesn't count its switches, processor time stands for them: it has the grain
  // of a tick.
  const ran = probe.switches === null ? `${row.cpuMs}ms` : String(probe.switches);
  return kind === null ? null : `${row.pid}:${row.startTicks}:${ran}:${kind}`;
};

/** A job's waits after this look: those that go on keep their beginning, others are forgotten. */
export const advanceWaits = (subject: Subject, before: Watch['waits']): Watch['waits'] => {
  const waits: Record<string, number> = {};
  for (const { row } of subject.members.slice(0, maxFollowed)) {
    const probe = probeOf(subject, row.pid);
    const key = probe === null ? null : waitKey(row, probe);
    if (key !== null) waits[key] = before[key] ?? subject.table.nowTicks;
  }
  return waits;
};

/** Seconds that a process was seen waiting without running; null if it isn't, or wasn't probed. */
export const waitedSeconds = (subject: Subject, watch: Watch, row: ProcessRow): number | null => {
  const probe = probeOf(subject, row.pid);
  const key = probe === null ? null : waitKey(row, probe);
  const since = key === null ? undefined : watch.waits[key];
  return since === undefined ? null : secondsSince(subject, since);
};

/** Whether a process stands still: it waited long enough, and no other thread can be at work. */
export const standsStill = (subject: Subject, watch: Watch, row: ProcessRow): boolean => {
  const seconds = waitedSeconds(subject, watch, row);
  if (seconds === null || seconds < standstillSeconds(subject)) return false;
  return probeOf(subject, row.pid)?.threads === 1 || subject.silentSeconds >= standstillSeconds(subject);
};
