import { z } from 'zod';
import type { Said } from '../../format/said.ts';

/** A sentence for people. Apart from the other parts: what is recorded has it, too. */
export const saidSchema: z.ZodType<Said> = z.lazy(() =>
  z.union([
    z.string(),
    z.object({ key: z.string(), figures: z.record(z.string(), z.union([z.number(), saidSchema])) }),
  ]),
);
