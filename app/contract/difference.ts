import { z } from 'zod';
import {
  collectionDifference,
  collectionDifferenceSchema,
  applyCollectionDifference,
} from './collection-difference.ts';
import { incidentSummarySchema } from './incident-view.ts';
import { reapingViewSchema } from './reaping-view.ts';
import { sameValue } from './same-value.ts';
import { snapshotJobSchema, snapshotSchema, type Snapshot } from './snapshot.ts';

/** The parts of a snapshot that are small and sent whole when they changed. */
const wholeParts = snapshotSchema.omit({ revision: true, jobs: true, reapings: true, incidents: true }).partial();

/** What changed between two snapshots. Applies to the snapshot of revision `from` only. */
export const differenceSchema = z.object({
  from: z.number().int().nonnegative(),
  to: z.number().int().nonnegative(),
  parts: wholeParts,
  jobs: collectionDifferenceSchema(snapshotJobSchema).optional(),
  reapings: collectionDifferenceSchema(reapingViewSchema).optional(),
  incidents: collectionDifferenceSchema(incidentSummarySchema).optional(),
});

/** See `differenceSchema`. */
export type SnapshotDifference = z.infer<typeof differenceSchema>;

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
