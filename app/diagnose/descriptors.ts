import { secondsSince, type Finder, type Subject } from './subject.ts';
import type { LeakWatch } from './watch.ts';

/**
 * Looks are compared at this share of the patience, so that the figure covers some time whatever
 * the interval of looks.
 */
const stepsInPatience = 8;
/** Steps in a row that must show more than the one before. */
const minRises = 4;
const minGrowth = 16;
/** Share of the limit from which on it counts as reached. */
const full = 0.95;
/** From this growth on a leak is reported also where the limit is far away. */
const many = 1000;

const fullest = (subject: Subject): { readonly process: string; readonly count: number } | null => {
  let best: { process: string; count: number } | null = null;
  for (const { row } of subject.members) {
    const count = subject.probe?.processes.get(row.pid)?.descriptors ?? null;
    if (count !== null && (best === null || count > best.count))
      best = { process: `${row.pid}:${row.startTicks}`, count };
  }
  return best;
};

/**
 * What is remembered after this look of the process with the most descriptors. The first that is
 * closed without another breaks the stretch.
 */
export const advanceLeak = (subject: Subject, before: LeakWatch | null): LeakWatch | null => {
  const now = fullest(subject);
  if (now === null) return null;
  const { nowTicks, ticksPerSecond } = subject.table;
  const { process, count } = now;
  if (before === null || before.process !== process || count < before.last)
    return {
      process,
      sinceTicks: nowTicks,
      first: count,
      last: count,
      stepTicks: nowTicks,
      stepCount: count,
      rises: 0,
    };
  const stepOver = nowTicks - before.stepTicks >= (subject.patienceSeconds / stepsInPatience) * ticksPerSecond;
  if (!stepOver) return { ...before, last: count };
  const rises = count > before.stepCount ? before.rises + 1 : 0;
  return { ...before, last: count, stepTicks: nowTicks, stepCount: count, rises };
};

/**
 * Descriptors that have reached their limit, or only ever become more where so many are open that
 * the limit is near, or will be before the hard cap. A server with many visitors closes some in
 * between; a watcher that opens everything at its start stays where it is.
 */
export const findDescriptors: Finder = (subject, { leak }) => {
  if (leak === null) return null;
  const pid = Number(leak.process.split(':')[0]);
  const limit = subject.probe?.processes.get(pid)?.descriptorLimit ?? null;
  // One that has come to its limit can't open more, however much it wants to.
  if (limit !== null && leak.last >= limit * full)
    return { code: 'leaking-descriptors', figures: { pid, fds: leak.last, limit } };
  if (leak.rises < minRises || leak.last - leak.first < minGrowth) return null;
  const seconds = Math.max(1, secondsSince(subject, leak.sinceTicks));
  const perSecond = (leak.last - leak.first) / seconds;
  const near = limit !== null && (leak.last >= limit / 2 || (limit - leak.last) / perSecond <= subject.hardCapSeconds);
  if (!near && leak.last < many) return null;
  return {
    code: 'leaking-descriptors',
    figures: { pid, fds: leak.last, more: leak.last - leak.first, seconds, ...(limit === null ? {} : { limit }) },
  };
};
