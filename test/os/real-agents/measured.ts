import { z } from 'zod';
import { cellSchema, looks } from './cell.ts';
import { observedSchema } from './observe.ts';

/** What the matrix gave, by the folder of an agent. */
export const measuredSchema = z.record(
  z.string(),
  z.strictObject({
    name: z.string(),
    observed: observedSchema.optional(),
    /** What a living session lost in 70 seconds beside `curfew watch`, its limits being shorter. */
    touched: z.array(z.string()).optional(),
    /** By ending, then by what Curfew learnt before. */
    cells: z.record(z.string(), z.partialRecord(z.enum(looks), cellSchema)),
  }),
);
export type Measured = z.infer<typeof measuredSchema>;
