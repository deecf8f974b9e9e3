import { z } from 'zod';
import { countSchema, momentSchema, secondsSchema } from './views/view.ts';
import { snapshotJobSchema } from './views/snapshot.ts';

const job = z.object({ job: z.string().regex(/^[0-9a-f]{1,64}$/u), host: z.string().max(255).default('local') });

/** A part of a job's output file. */
const outputPartSchema = z.object({
  /** Decoded as UTF-8, secrets redacted. Holds control characters. */
  text: z.string(),
  /** Where this part begins, and where to read on from. */
  fromByte: countSchema,
  nextByte: countSchema,
  fileBytes: countSchema,
  /** The file is shorter than what was read before: it was written anew. */
  restarted: z.boolean(),
});

/** What can be asked and done about one job. */
export const jobQuestions = {
  /** The job now, also one that is not in the snapshot any more but was a moment ago. */
  'job.details': { input: job, output: snapshotJobSchema },
  /** Ends a job by the person's decision, whatever the mode. Answers when the reaping has begun; the snapshot tells how it goes. */
  'job.reap': { input: job, output: z.object({ reaping: z.string() }) },
  /** Ends the grace of a reaping in progress: what is left is killed now. */
  'job.hurry': { input: z.object({ reaping: z.string().min(1).max(200) }), output: z.object({}) },
  /** Puts the limit off, at most to the hard cap. */
  'job.keep': { input: job.extend({ seconds: secondsSchema.min(1) }), output: z.object({ until: momentSchema }) },
  'job.unkeep': { input: job, output: z.object({}) },
  /** Never again for this project or this exact command, below the hard cap. Undone by `settings.unexempt`. */
  'job.exempt': {
    input: job.extend({ scope: z.enum(['project', 'command']) }),
    output: z.object({ createdAt: z.string() }),
  },
  /**
   * The output file from a byte on, at most 64 KiB; without a byte its last part. Asked again with `nextByte` it follows the file, and
   * a window that goes away leaves nothing behind that would have to be ended.
   */
  'job.output': { input: job.extend({ fromByte: countSchema.nullable() }), output: outputPartSchema },
} as const;
