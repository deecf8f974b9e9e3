import { z } from 'zod';
import { outcomes } from '../../history/incident.ts';
import { signalNames } from '../../process/signal.ts';
import { freedViewSchema } from './incident-view.ts';
import { saidSchema } from './said.ts';
import { countSchema, momentSchema, safeTextSchema } from './view.ts';

/** Phase of a reaping: being checked · first signal sent, in grace · KILL was needed · over. */
const reapingPhases = ['confirming', 'asked', 'killing', 'ended'] as const;

/**
 * A reaping in progress or just over; the job's card shows it. It leaves the snapshot a while after
 * it has ended; the incident of the same id stays in the history.
 */
export const reapingViewSchema = z.object({
  id: z.string().min(1),
  job: z.string(),
  host: z.string(),
  /** Redacted; the job itself is gone once the reaping has ended. */
  command: safeTextSchema,
  agent: z.string(),
  project: safeTextSchema.nullable(),
  phase: z.enum(reapingPhases),
  startedAt: momentSchema,
  /** The first signal; null before it was sent. */
  signal: z.enum(signalNames).nullable(),
  /** End of the grace period, when KILL follows; null before the first signal and afterwards. */
  graceEndsAt: momentSchema.nullable(),
  /** Processes of the job at the start, and how many are still alive. */
  processes: countSchema,
  left: countSchema,
  endedAt: momentSchema.nullable(),
  outcome: z.enum(outcomes).nullable(),
  freed: freedViewSchema.nullable(),
  /** What went wrong, in words: a veto, a survivor, a refusal. null if nothing did. */
  problem: saidSchema.nullable(),
});

export type ReapingView = z.infer<typeof reapingViewSchema>;
