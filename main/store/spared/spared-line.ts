import { z } from 'zod';
import { once } from '../../../app/format/once.ts';
import { jobIdPattern } from '../../../app/jobs/ledger/job-id.ts';
import type { SparedFact } from '../../../app/jobs/spared/spared.ts';
import { asJobId } from '../../../app/model/job.ts';

/** A fact of one boot, and when it was said in that boot. */
export interface SparedLine {
  readonly boot: string;
  readonly atTicks: number;
  readonly fact: SparedFact;
}

const fact = once((): z.ZodType<SparedFact> => {
  const job = z.string().regex(jobIdPattern).transform(asJobId);
  const moment = z.number().nonnegative();
  const mark = { pid: z.number().int().min(2), startTicks: moment };
  const keep = z.object({
    fromTicks: moment,
    seconds: moment,
    by: z.enum(['user', 'session']),
    capSeconds: moment.nullable(),
  });
  return z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('keep'), job, keep: keep.nullable() }),
    z.object({ kind: z.literal('mine'), job, mine: z.boolean(), ...mark }),
    z.object({ kind: z.literal('carried'), ...mark, image: z.string().nullable() }),
    z.object({ kind: z.enum(['user', 'doubtful']), ...mark, sid: z.number().int().nonnegative() }),
    z.object({ kind: z.literal('ledger'), identity: z.string() }),
    z.object({ kind: z.literal('lost') }),
  ]);
});

const line = once((): z.ZodType<SparedLine> =>
  z.object({ boot: z.string().min(1), atTicks: z.number().nonnegative(), fact: fact() }),
);

/** Returns a line of the file; null for one that is torn or damaged. */
export const parsedLine = (text: string): SparedLine | null => {
  try {
    const parsed = line().safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
};

export const writtenLine = (one: SparedLine): string => `${JSON.stringify(one)}\n`;
