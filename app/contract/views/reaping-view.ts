import { z } from 'zod';
import { outcomes } from '../../history/incident.ts';
import { signalNames } from '../../process/signal.ts';
import { freedViewSchema } from './incident-view.ts';
import { countSchema, momentSchema } from './view.ts';

/** Where a reaping stands: identity and vetoes are confirmed · asked to end, the grace runs · KILL was needed · over. */
const reapingPhases = ['confirming', 'asked', 'killing', 'ended'] as const;

/**
 * A reaping in progress or just over, so that the card of the job can tell in place how it goes. It leaves the snapshot a
 * while after it has ended; the incident of the same id stays in the history.
 */
export const reapingViewSchema = z.object({
  /** The id of its incident. */
  id: z.string().min(1),
  job: z.string(),
  host: z.string(),
  /** Redacted; the job itself is gone when the reaping has ended. */
  command: z.string(),
  agent: z.string(),
  project: z.string().nullable(),
  phase: z.enum(reapingPhases),
  startedAt: momentSchema,
  /** The signal that the job was asked with, null before it was sent. */
  signal: z.enum(signalNames).nullable(),
  /** When the grace is over and KILL follows; null before the first signal and after the grace. */
  graceEndsAt: momentSchema.nullable(),
  /** Processes of the job when it began, and how many of them still live. */
  processes: countSchema,
  left: countSchema,
  endedAt: momentSchema.nullable(),
  outcome: z.enum(outcomes).nullable(),
  freed: freedViewSchema.nullable(),
  /** What went wrong, in words: a veto that stopped it, a survivor, a refusal. null when nothing did. */
  problem: z.string().nullable(),
});

/** See `reapingViewSchema`. */
export type ReapingView = z.infer<typeof reapingViewSchema>;
