import { z } from 'zod';
import { agentIds } from '../../agents/common/agent-id.ts';
import type { SafeText } from '../../format/secrets/safe-text.ts';

/**
 * Parts shared by documents of the contract. This is what leaves Curfew: ISO 8601 times in UTC;
 * seconds, milliseconds and bytes as named; redacted command lines, which may hold control
 * characters that the display must make visible.
 */

/** A command as windows and documents take it: only what was redacted has this type. */
export const safeTextSchema = z.custom<SafeText>((text) => typeof text === 'string');

/** A moment as text: `2026-11-21T02:00:00.000Z`. */
export const momentSchema = z.iso.datetime({ precision: 3 });

/** Figures of a reason, veto or diagnosis by name, units in the names. */
const figuresSchema = z.record(z.string(), z.union([z.number(), safeTextSchema]));

/** A command's agent. Text: a window older than its engine still shows a new agent's jobs. */
export const agentSchema = z.union([z.enum(agentIds), z.string().min(1)]);

/** Whether the session of a job is still open. */
export const ownerStates = ['live', 'gone', 'unknown'] as const;

export const statementSchema = z.object({ code: z.string(), text: safeTextSchema, figures: figuresSchema });

export type Statement = z.infer<typeof statementSchema>;

/** A count, such as bytes or processes: never negative, always an integer. */
export const countSchema = z.number().int().nonnegative();

/** A process as lists and records name it; its command line is redacted. */
export const processViewSchema = z.object({
  pid: countSchema,
  ppid: countSchema,
  args: safeTextSchema,
  rssBytes: countSchema,
});

/** A duration in seconds. */
export const secondsSchema = z.number().nonnegative();
