import { applyCollectionDifference, collectionDifference } from './collection-difference.ts';
import type { SnapshotDifference } from './difference-schema.ts';
import { sameValue } from './same-value.ts';
import type { Snapshot } from '../views/snapshot.ts';

// No schema is imported here: windows apply differences, and are opened too often to carry a validator that they don't need.

const partNames = ['at', 'platform', 'mode', 'modeChosen', 'pausedUntil', 'settings', 'health', 'watched'] as const;

/** Promises `applyDifference(old, diffSnapshot(old, next))` to equal `next`; parts that are equal are not sent. */
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
 * The snapshot after a difference; null when the difference belongs to another revision, then the whole must be asked for.
 * What didn't change keeps its object, so that views can be spared by identity.
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
