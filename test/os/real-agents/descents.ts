import { z } from 'zod';
import { witnessKinds } from '../../../app/model/proof.ts';

/**
 * What tells Curfew of the descent of what calls leave: its looks and glances, or the group too.
 */
export const ways = ['looks', "the kernel's group"] as const;
export type Way = (typeof ways)[number];

/**
 * What Curfew said of what one call left: its witness, or that there is none. `doubted`: the user
 * may have started it.
 */
const descent = z.enum([...witnessKinds, 'probable', 'doubted', 'missed', 'nothing left']);
export type Descent = z.infer<typeof descent>;

/** What `npm run test:shapes` measured: for each agent and way, by call, a word for each run. */
export const descentsSchema = z.array(
  z.strictObject({
    agent: z.string(),
    way: z.enum(ways),
    at: z.string(),
    /** Processor time of `curfew watch` while the session went on, percent of a core, by run. */
    watchPercent: z.array(z.number()).optional(),
    calls: z.record(z.string(), z.array(descent)),
  }),
);
export type Descents = z.infer<typeof descentsSchema>;
