import type { Verdict } from '../../judge/verdict.ts';

/** What becomes of a job, for every surface to say in its words; seconds from now. */
export type Fate =
  /** It ends by itself. `isUrgent`: nothing that could be said of it matters more. */
  | { readonly kind: 'ends'; readonly seconds: number; readonly isUrgent: boolean }
  /** The user keeps it for as long. */
  | { readonly kind: 'kept'; readonly seconds: number }
  | { readonly kind: 'stays' };

/** An end farther away than this is not urgent, milliseconds; that of a leftover always is. */
const urgentMs = 3_600_000;

/**
 * Returns what becomes of a job.
 * @param endsAtMs when it ends by itself; null where no end may be promised
 */
export const fateOf = (
  state: Verdict['state'],
  endsAtMs: number | null,
  keptUntilMs: number | null,
  nowMs: number,
): Fate => {
  if (state === 'kept' && keptUntilMs !== null) return { kind: 'kept', seconds: (keptUntilMs - nowMs) / 1000 };
  if (endsAtMs === null) return { kind: 'stays' };
  const leftMs = endsAtMs - nowMs;
  return { kind: 'ends', seconds: leftMs / 1000, isUrgent: state === 'orphaned' || leftMs <= urgentMs };
};

/** Returns seconds as a countdown shows them: whole below two minutes, else minutes, rounded up. */
export const countedDown = (seconds: number): number =>
  seconds < 120 ? Math.max(0, Math.ceil(seconds)) : Math.ceil(seconds / 60) * 60;
