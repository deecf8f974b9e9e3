import { readFileSync } from 'node:fs';
import { z } from 'zod';

/**
 * One process as it was seen under a real agent; folders renamed, environment cut to the names that
 * Curfew reads.
 */
const schema = z.array(
  z.object({
    /** Agent and version, then the scenario. */
    seen: z.string(),
    comm: z.string(),
    argv: z.array(z.string()),
    environment: z.record(z.string(), z.string()),
    /** Files behind descriptors 1 and 2. */
    outputs: z.array(z.string()),
    /** It was the agent, or a part of it. */
    program: z.boolean(),
  }),
);

/** What real agents' processes looked like on Linux in November 2026. */
export const observed = schema.parse(JSON.parse(readFileSync(new URL('processes.json', import.meta.url), 'utf8')));
