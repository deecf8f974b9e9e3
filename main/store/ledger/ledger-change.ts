import { sameValue } from '../../../app/contract/difference/same-value.ts';
import type { Activity, ImageMark, LedgerEntry } from '../../../app/jobs/ledger/ledger.ts';

export interface Remembered {
  readonly entry: LedgerEntry;
  /** Null: nothing is known to be on disk. */
  readonly onDisk: LedgerEntry | null;
}

/**
 * Interval in ms at which mere measurements are written. A restarted Curfew that finds older ones
 * takes a job for more busy than it is, never for more silent: they are running totals, and equal
 * totals prove silence whenever they were taken.
 */
const measurementsEveryMs = 60_000;

/**
 * Returns an entry with every `CURFEW_KEEP=1` that either scan saw: the mark once seen counts for
 * ever, and the scan that saw it need not be the latest.
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

/** Returns whether two values are equal but for fields that change at every scan. */
const sameBut = <Value extends object>(left: Value, right: Value, passing: ReadonlySet<keyof Value>): boolean =>
  (Object.keys(left) as (keyof Value)[]).every((field) => passing.has(field) || sameValue(left[field], right[field]));

const passingOfEntry = new Set<keyof LedgerEntry>(['lastSeenMs', 'lastSeenTicks', 'activity', 'watch', 'server']);
const passingOfActivity = new Set<keyof Activity>(['observedAtTicks', 'quietLooks']);

/**
 * Returns the names of what is waited for and held, without times: the first writer of a name knows
 * since when.
 */
const followed = ({ watch }: LedgerEntry): readonly string[] =>
  watch === null ? [] : [...Object.keys(watch.waits), ...Object.keys(watch.connections)];

/**
 * Returns whether an entry has to be written: at once when a fact about the job changed, after a
 * while when only measurements did, and never only because time passed: a sleeping job costs no
 * write.
 * @param everything also writes recent measurements and the time of the latest scan
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
