import { z } from 'zod';
import { agentIds } from '../../agents/common/agent-id.ts';

/**
 * Pieces that several documents of the contract share. Everything here is what leaves Curfew: ISO 8601 times in UTC, seconds,
 * milliseconds and bytes as their names say, and command lines that are already redacted (but still hold control
 * characters: whoever displays them makes those visible).
 */

/** A moment as text: `2026-11-21T02:00:00.000Z`. */
export const momentSchema = z.iso.datetime({ precision: 3 });

/** A moment of the wall clock (milliseconds since the epoch) as the documents write it. */
export const moment = (atMs: number): string => new Date(atMs).toISOString();

/** The same, for moments that may be unknown. */
export const momentOrNull = (atMs: number | null): string | null => (atMs === null ? null : moment(atMs));

/** Figures of a reason, veto or diagnosis by name, units in the names. */
const figuresSchema = z.record(z.string(), z.union([z.number(), z.string()]));

/** Who started a command. A text, not an enumeration: a window older than its engine must still show a new agent's jobs. */
export const agentSchema = z.union([z.enum(agentIds), z.string().min(1)]);

/** Whether the session that a job belongs to still runs. */
export const ownerStates = ['live', 'gone', 'unknown'] as const;

/** A coded statement with its sentence for people. */
export const statementSchema = z.object({ code: z.string(), text: z.string(), figures: figuresSchema });

/** See `statementSchema`. */
export type Statement = z.infer<typeof statementSchema>;

/** Bytes, processes and the like: never negative, never a fraction. */
export const countSchema = z.number().int().nonnegative();

/** A length of time in seconds. */
export const secondsSchema = z.number().nonnegative();
