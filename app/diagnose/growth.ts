import { secondsSince, type Finder, type Subject } from './subject.ts';
import { type GrowthWatch, maxFollowed } from './watch.ts';

/**
 * So much more memory in so short a time is told at once; bytes and seconds. One worker's search
 * took 31 GB before the system's own killer ended a desktop with it; a large build takes less.
 */
const minGrowthBytes = 4_000_000_000;
const maxSeconds = 120;
/** Growth is measured over one to two of these. */
const stepSeconds = 30;

type Row = Subject['members'][number]['row'];

const follow = (subject: Subject, { startTicks, rssBytes }: Row, before: GrowthWatch | undefined): GrowthWatch => {
  const { nowTicks, ticksPerSecond } = subject.table;
  const now = { stepTicks: nowTicks, stepBytes: rssBytes };
  if (before === undefined) {
    const isYoung = nowTicks - startTicks <= stepSeconds * ticksPerSecond;
    const [fromTicks, fromBytes] = isYoung ? [startTicks, 0] : [nowTicks, rssBytes];
    return took(subject, rssBytes, { fromTicks, fromBytes, ...now, taken: null });
  }
  // What was given back is not held against it.
  if (rssBytes < before.fromBytes) return { fromTicks: nowTicks, fromBytes: rssBytes, ...now, taken: null };
  const found = took(subject, rssBytes, before);
  if (nowTicks - before.stepTicks < stepSeconds * ticksPerSecond) return found;
  return { ...now, fromTicks: before.stepTicks, fromBytes: before.stepBytes, taken: found.taken };
};

/** The same, with what it took where that was much; it is told until half of that is given back. */
const took = (subject: Subject, rssBytes: number, watch: GrowthWatch): GrowthWatch => {
  const seconds = Math.max(1, secondsSince(subject, watch.fromTicks));
  const bytes = rssBytes - watch.fromBytes;
  if (bytes >= Math.max(minGrowthBytes, watch.taken?.bytes ?? 0) && seconds <= maxSeconds)
    return { ...watch, taken: { bytes, seconds } };
  return watch.taken !== null && rssBytes < watch.taken.bytes / 2 ? { ...watch, taken: null } : watch;
};

/**
 * What is remembered of members' memory after this look. Each is followed by itself: memory that a
 * process shares with what it forked counts in both, so a sum would grow by a fork.
 */
export const advanceGrowth = (
  subject: Subject,
  before: Readonly<Record<string, GrowthWatch>>,
): Readonly<Record<string, GrowthWatch>> =>
  Object.fromEntries(
    subject.members
      .toSorted((one, other) => other.row.rssBytes - one.row.rssBytes)
      .slice(0, maxFollowed)
      .map(({ row }) => {
        const key = `${row.pid}:${row.startTicks}`;
        return [key, follow(subject, row, before[key])];
      }),
  );

/** The member that took most, where that was much in a short time. */
export const findGrowth: Finder = ({ members }, { growth }) => {
  const [most] = members
    .flatMap(({ row }) => {
      const taken = growth[`${row.pid}:${row.startTicks}`]?.taken ?? null;
      return taken === null ? [] : [{ pid: row.pid, ...taken }];
    })
    .toSorted((one, other) => other.bytes - one.bytes);
  return most === undefined ? null : { code: 'fast-growth', figures: most };
};
