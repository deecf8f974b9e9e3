import { z } from 'zod';
import { failureCodes } from './answer.ts';

/** What went wrong, for people: what happened, and what to do about it. */
const failureSchema = z.object({
  code: z.enum(failureCodes),
  message: z.string().min(1),
  advice: z.string().nullable(),
  /** Refused input, field by field: path of the field (`limits.backgroundKillGraceSeconds`) and what is allowed there. */
  fields: z.array(z.object({ path: z.string(), message: z.string() })),
});

/** The border of an answer. */
export const answerSchema = <Value extends z.ZodType>(value: Value) =>
  z.discriminatedUnion('ok', [
    z.object({ ok: z.literal(true), value }),
    z.object({ ok: z.literal(false), failure: failureSchema }),
  ]);
