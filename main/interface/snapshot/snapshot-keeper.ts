import { diffSnapshot } from '../../../app/contract/difference/difference.ts';
import type { SnapshotDifference } from '../../../app/contract/difference/difference-schema.ts';
import type { Snapshot } from '../../../app/contract/views/snapshot.ts';
import { steadyJobs } from '../../../app/contract/views/steady-jobs.ts';

/** A snapshot without its number. */
export type SnapshotContent = Omit<Snapshot, 'revision'>;

const says = (difference: SnapshotDifference): boolean =>
  Object.keys(difference.parts).some((name) => name !== 'at') ||
  difference.jobs !== undefined ||
  difference.reapings !== undefined ||
  difference.incidents !== undefined;

/**
 * Owns the one snapshot. It is computed when something changed and a listener is there, or on
 * request; otherwise a change costs nothing. Differences come in order, each from the revision
 * before.
 */
export class SnapshotKeeper {
  readonly #make: () => SnapshotContent;
  readonly #listeners = new Set<(difference: SnapshotDifference) => void>();
  #snapshot: Snapshot | null = null;
  #stale = true;

  constructor(make: () => SnapshotContent) {
    this.#make = make;
  }

  /** Returns the latest state; replaced, never changed in place. */
  get(): Snapshot {
    if (this.#snapshot !== null && !this.#stale) return this.#snapshot;
    this.#stale = false;
    const old = this.#snapshot;
    const made = this.#make();
    const jobs = old === null ? made.jobs : steadyJobs(old.jobs, made.jobs, Date.parse(made.at));
    const next: Snapshot = { ...made, jobs, revision: (old?.revision ?? 0) + 1 };
    if (old !== null) {
      const difference = diffSnapshot(old, next);
      if (!says(difference)) return old;
      this.#snapshot = next;
      for (const listener of this.#listeners) listener(difference);
      return next;
    }
    this.#snapshot = next;
    return next;
  }

  /** Something changed. */
  changed(): void {
    this.#stale = true;
    if (this.#listeners.size > 0) this.get();
  }

  /** Returns whether differences have a listener. */
  get watched(): boolean {
    return this.#listeners.size > 0;
  }

  /**
   * Calls the listener with every difference from the current snapshot on; the returned function
   * ends it.
   */
  subscribe(listener: (difference: SnapshotDifference) => void): () => void {
    // Update first: the new listener asks for the whole, the others get the difference.
    this.get();
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }
}
