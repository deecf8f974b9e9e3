import { z } from 'zod';
import { saidSchema } from './views/said.ts';
import { countSchema, momentSchema, secondsSchema } from './views/view.ts';
import { maxUsageSteps } from '../jobs/measure/usage-series.ts';
import { snapshotJobSchema } from './views/snapshot.ts';

const job = z.object({ job: z.string().regex(/^[0-9a-f]{1,64}$/u), host: z.string().max(255).default('local') });

const outputPartSchema = z.object({
  /** UTF-8 with secrets redacted. May hold control characters. */
  text: z.string(),
  /** Offset of this part, and the offset to continue from. */
  fromByte: countSchema,
  nextByte: countSchema,
  fileBytes: countSchema,
  /** The file is shorter than before: it was rewritten. */
  restarted: z.boolean(),
});

/** Steps of equal length, the oldest first; null: it was not watched then. */
const stepsSchema = z.array(z.number().nonnegative().nullable()).max(maxUsageSteps);

/** What a job used over the last ten minutes. */
const usageSchema = z.object({
  job: z.string(),
  host: z.string(),
  /** Mean of each step, as a share of one core. */
  cpuPercent: stepsSchema,
  /** Highest of each step. */
  rssBytes: stepsSchema,
});

export type JobUsage = z.infer<typeof usageSchema>;

export const jobQuestions = {
  /** The job now, including one that left the snapshot a moment ago. */
  'job.details': { input: job, output: snapshotJobSchema },
  /** Ends a job on request, in any mode. Answers once the reaping begins; snapshots show it. */
  'job.reap': { input: job, output: z.object({ reaping: z.string() }) },
  /**
   * Ends several jobs on the user's request, as `job.reap` does each. `refused` says which were not
   * taken up; the snapshot shows the progress of the others.
   */
  'job.reapAll': {
    input: z.object({ jobs: z.array(job).min(1).max(1000) }),
    output: z.object({
      begun: countSchema,
      refused: z.array(z.object({ job: z.string(), host: z.string(), message: saidSchema })),
    }),
  },
  /** Ends the grace period of a reaping in progress: the remaining processes are killed now. */
  'job.killNow': { input: z.object({ reaping: z.string().min(1).max(200) }), output: z.object({}) },
  /** Ends what a call left open by its keeper's command, no signal. Answers once that is known. */
  'leftOpen.end': {
    input: z.object({ id: z.string().regex(/^[0-9a-f]{1,64}$/u) }),
    output: z.object({ incident: z.string() }),
  },
  /**
   * Ends a service of an agent by the agent's own command; Curfew signals nothing. `id`: `ownEnd`
   * of the agent. Answers when it has ended, or is known not to.
   */
  'agent.end': {
    input: z.object({ id: z.string().regex(/^[0-9a-f]{1,64}$/u) }),
    output: z.object({ incident: z.string() }),
  },
  /** What jobs used; those that are not there any more are left out. Ask while it is shown. */
  'job.usage': {
    input: z.object({ jobs: z.array(job).min(1).max(100) }),
    output: z.object({ stepSeconds: secondsSchema, usage: z.array(usageSchema) }),
  },
  /** Postpones the limit, at most to the hard cap; once told of that, by one hard cap more. */
  'job.keep': { input: job.extend({ seconds: secondsSchema.min(1) }), output: z.object({ until: momentSchema }) },
  /** Undoes `job.keep` and `job.mine`. */
  'job.unkeep': { input: job, output: z.object({}) },
  /** The user says a job's processes are theirs: no job while they live. This machine only. */
  'job.mine': { input: job, output: z.object({}) },
  /** Exempts this project or exact command below the hard cap. `settings.unexempt` undoes it. */
  'job.exempt': {
    input: job.extend({ scope: z.enum(['project', 'command']) }),
    output: z.object({ createdAt: z.string() }),
  },
  /**
   * Reads at most 64 KiB of the output file from a byte offset, or its last part without one.
   * Asking again with `nextByte` follows the file. No server state needs cleaning up when the
   * window closes.
   */
  'job.output': { input: job.extend({ fromByte: countSchema.nullable() }), output: outputPartSchema },
} as const;
