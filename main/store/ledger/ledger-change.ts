import { sameValue } from '../../../app/contract/difference/same-value.ts';
import type { Activity, ImageMark, LedgerEntry } from '../../../app/jobs/ledger/ledger.ts';

/** What is remembered of a job, and what of that is on disk. */
export interface Remembered {
  readonly entry: LedgerEntry;
  /** null: nothing, as far as is known. */
  readonly onDisk: LedgerEntry | null;
}

/**
 * Measurements alone are written at most so often, milliseconds. A Curfew that starts anew and finds older ones takes a job for more
 * busy than it is, never for more silent: they are running totals, and equal totals prove silence whenever they were taken.
 */
const measurementsEveryMs = 60_000;

/** What is kept of jobs stands in its own table, where every process can set it; in the entry it would be a second truth. */
export const withoutKeep = (entry: LedgerEntry): LedgerEntry =>
  entry.keptUntilMs === null ? entry : { ...entry, keptUntilMs: null };

/**
 * An entry with what any of two looks saw of `CURFEW_KEEP=1`: the mark once seen counts for ever, and the look that saw it need not be
 * the latest one.
 */
export const withEveryMark = (entry: LedgerEntry, one: LedgerEntry, other: LedgerEntry): LedgerEntry => {
  if (one.keep === undefined || other.keep === undefined || sameValue(one.keep, other.keep)) {
    const keep = entry.keep ?? one.keep ?? other.keep;
    return keep === undefined || keep === entry.keep ? entry : { ...entry, keep };
  }
  const kept = [...one.keep.kept];
  for (const mark of other.keep.kept) if (!kept.some((known) => sameValue(known, mark))) kept.push(mark);
  const isKept = (mark: ImageMark): boolean =>
    kept.some((known) => known.pid === mark.pid && known.startTicks === mark.startTicks);
  const plain = (entry.keep ?? one.keep).plain.filter((mark) => !isKept(mark));
  return { ...entry, keep: { assigned: one.keep.assigned || other.keep.assigned, kept, plain } };
};

/** Whether two are the same but for fields that change at every look. */
const sameBut = <Value extends object>(left: Value, right: Value, passing: ReadonlySet<keyof Value>): boolean =>
  (Object.keys(left) as (keyof Value)[]).every((field) => passing.has(field) || sameValue(left[field], right[field]));

const passingOfEntry = new Set<keyof LedgerEntry>(['lastSeenMs', 'lastSeenTicks', 'activity', 'watch']);
const passingOfActivity = new Set<keyof Activity>(['observedAtTicks', 'quietLooks']);

/** What is waited for and held as names alone: since when is known by whoever writes the names down first. */
const followed = ({ watch }: LedgerEntry): readonly string[] =>
  watch === null ? [] : [...Object.keys(watch.waits), ...Object.keys(watch.connections)];

/**
 * Whether an entry is to be written: at once when what it says of the job changed, after a while when only measurements did, and never
 * because time went by: a job that sleeps costs no write.
 * @param everything also measurements that are younger, and the time of the latest look
 */
export const isToBeWritten = ({ entry, onDisk }: Remembered, everything: boolean): boolean => {
  if (onDisk === null) return true;
  if (onDisk === entry) return false;
  if (!sameBut(entry, onDisk, passingOfEntry)) return true;
  if (everything) return entry.lastSeenTicks !== onDisk.lastSeenTicks;
  return (
    entry.lastSeenMs - onDisk.lastSeenMs >= measurementsEveryMs &&
    (!sameBut(entry.activity, onDisk.activity, passingOfActivity) || !sameValue(followed(entry), followed(onDisk)))
  );
};
