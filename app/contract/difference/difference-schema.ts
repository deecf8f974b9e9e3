import { z } from 'zod';
import { incidentSummarySchema } from '../views/incident-view.ts';
import { reapingViewSchema } from '../views/reaping-view.ts';
import { snapshotJobSchema, snapshotSchema } from '../views/snapshot.ts';

/** Schema of a `CollectionDifference`. */
const collectionDifferenceSchema = <Shape extends z.ZodRawShape & { id: z.ZodType<string> }>(
  item: z.ZodObject<Shape>,
) =>
  z.object({
    put: z.array(item),
    changed: z.array(z.object({ id: z.string(), fields: item.partial() })),
    order: z.array(z.string()).optional(),
  });

/** Small parts of a snapshot; a change sends the whole part. */
const wholeParts = snapshotSchema.omit({ revision: true, jobs: true, reapings: true, incidents: true }).partial();

/** Changes between two snapshots. Applies only to the snapshot of revision `from`. */
export const differenceSchema = z.object({
  from: z.number().int().nonnegative(),
  to: z.number().int().nonnegative(),
  parts: wholeParts,
  jobs: collectionDifferenceSchema(snapshotJobSchema).optional(),
  reapings: collectionDifferenceSchema(reapingViewSchema).optional(),
  incidents: collectionDifferenceSchema(incidentSummarySchema).optional(),
});

export type SnapshotDifference = z.infer<typeof differenceSchema>;
