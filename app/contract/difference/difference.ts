import { applyCollectionDifference, collectionDifference } from './collection-difference.ts';
import type { SnapshotDifference } from './difference-schema.ts';
import { sameValue } from './same-value.ts';
import type { Snapshot } from '../views/snapshot.ts';

// This file imports no schema: windows apply differences, and loading a validator would slow every
// opening.

const partNames = [
  'at',
  'platform',
  'mode',
  'modeChosen',
  'pausedUntil',
  'settings',
  'health',
  'watched',
  'agents',
  'leftOpen',
  'freedThisWeek',
] as const;

/**
 * Returns what changed. Guarantees that `applyDifference(old, diffSnapshot(old, next))` equals
 * `next`; equal parts are not sent.
 */
export const diffSnapshot = (old: Snapshot, next: Snapshot): SnapshotDifference => {
  const changed = partNames.filter((name) => !sameValue(old[name], next[name]));
  const jobs = collectionDifference(old.jobs, next.jobs);
  const reapings = collectionDifference(old.reapings, next.reapings);
  const incidents = collectionDifference(old.incidents, next.incidents);
  return {
    from: old.revision,
    to: next.revision,
    parts: Object.fromEntries(changed.map((name) => [name, next[name]])),
    ...(jobs === null ? {} : { jobs }),
    ...(reapings === null ? {} : { reapings }),
    ...(incidents === null ? {} : { incidents }),
  };
};

/**
 * Returns the snapshot after a difference; null if the difference belongs to another revision and
 * the whole must be requested. Unchanged parts keep their objects, so that views can skip them by
 * identity.
 */
export const applyDifference = (old: Snapshot, difference: SnapshotDifference): Snapshot | null => {
  if (old.revision !== difference.from) return null;
  return {
    ...old,
    ...(difference.parts as Partial<Snapshot>),
    revision: difference.to,
    jobs: applyCollectionDifference(old.jobs, difference.jobs),
    reapings: applyCollectionDifference(old.reapings, difference.reapings),
    incidents: applyCollectionDifference(old.incidents, difference.incidents),
  };
};
