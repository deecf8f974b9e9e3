import { z } from 'zod';
import { failureCodes } from '../../../app/contract/answer.ts';
import { saidSchema } from '../../../app/contract/views/said.ts';

/** What went wrong and what to do about it, in words for the user. */
const failureSchema = z.object({
  code: z.enum(failureCodes),
  message: saidSchema,
  advice: saidSchema.nullable(),
  /**
   * Refused input by path of the field (`limits.backgroundKillGraceSeconds`), with the allowed
   * values.
   */
  fields: z.array(z.object({ path: z.string(), message: saidSchema })),
});

/** Schema of an answer. */
export const answerSchema = <Value extends z.ZodType>(value: Value) =>
  z.discriminatedUnion('ok', [
    z.object({ ok: z.literal(true), value }),
    z.object({ ok: z.literal(false), failure: failureSchema }),
  ]);
