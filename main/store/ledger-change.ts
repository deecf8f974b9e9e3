import type { LedgerEntry } from '../../app/jobs/ledger.ts';

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

/** All that says whose a job is and what belongs to it, without what changes at every look. */
const substanceOf = (entry: LedgerEntry): string =>
  JSON.stringify({ ...entry, lastSeenMs: 0, lastSeenTicks: 0, activity: null });

const measurementsOf = ({ activity }: LedgerEntry): string =>
  JSON.stringify({ ...activity, observedAtTicks: 0, quietLooks: 0 });

/**
 * Whether an entry is to be written: at once when what it says of the job changed, after a while when only measurements did, and never
 * because time went by: a job that sleeps costs no write.
 * @param everything also measurements that are younger, and the time of the latest look
 */
export const isToBeWritten = ({ entry, onDisk }: Remembered, everything: boolean): boolean => {
  if (onDisk === null) return true;
  if (onDisk === entry) return false;
  if (substanceOf(entry) !== substanceOf(onDisk)) return true;
  if (everything) return entry.lastSeenTicks !== onDisk.lastSeenTicks;
  return (
    measurementsOf(entry) !== measurementsOf(onDisk) && entry.lastSeenMs - onDisk.lastSeenMs >= measurementsEveryMs
  );
};
