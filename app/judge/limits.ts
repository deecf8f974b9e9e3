import type { Job } from '../model/job.ts';
import type { Settings } from '../settings/settings.ts';
import type { JudgeContext } from './context.ts';

/**
 * How long a job must have been quiet before it counts as silent: a sixth of the max elapsed,
 * between 15 s and 5 min. Short enough that the default (5 min of 30) is a small part of the wait,
 * long enough that a compiler between two files is no silence.
 */
export const quietWindowSeconds = (maxElapsedSeconds: number): number =>
  Math.min(300, Math.max(15, maxElapsedSeconds / 6));

/** Time awake against the limits, in seconds; senseless numbers become the mildest. */
export interface Limits {
  readonly nowMs: number;
  readonly ageSeconds: number;
  readonly hardCapSeconds: number;
  readonly maxElapsedSeconds: number;
  readonly orphanGraceSeconds: number;
  /** Since its session ended, as observed; since it started where that moment is unknown. */
  readonly leftSeconds: number;
  /** Since its next end was announced; null: it was not. */
  readonly announcedSeconds: number | null;
  readonly noticeSeconds: number;
  readonly quietWindowSeconds: number;
  readonly silentSeconds: number;
}

const nonNegative = (value: number): number => (Number.isFinite(value) && value > 0 ? value : 0);

/** How long a leftover is waited for under these terms, seconds. */
export const graceSecondsOf = ({ orphanGraceSeconds }: Settings, terms: JudgeContext['terms']): number => {
  if (terms?.kind === 'session-said-so') return 0;
  const asked = terms?.minAgeSeconds ?? null;
  return asked !== null && asked >= 0 ? asked : orphanGraceSeconds;
};

/** Never throws. An age or a silence that is no number counts as none. */
export const limitsOf = (job: Job, settings: Settings, context: JudgeContext): Limits => {
  const cap = settings.backgroundMaxElapsedSecondsHardCap;
  const maxElapsedSeconds = Math.min(settings.backgroundMaxElapsedSeconds, cap);
  const hardCapSeconds = Math.max(cap, nonNegative(job.capSeconds ?? 0));
  return {
    nowMs: context.nowMs,
    ageSeconds: nonNegative(job.ageSeconds),
    hardCapSeconds,
    maxElapsedSeconds,
    orphanGraceSeconds: graceSecondsOf(settings, context.terms),
    // Where the end of its session was not observed, it counts from its start, and never from
    // before that.
    leftSeconds: Math.min(nonNegative(job.ageSeconds), nonNegative(job.goneSeconds ?? job.ageSeconds)),
    announcedSeconds: job.announcedSeconds === null ? null : nonNegative(job.announcedSeconds),
    noticeSeconds: settings.noticeSeconds,
    quietWindowSeconds: quietWindowSeconds(maxElapsedSeconds),
    silentSeconds: nonNegative(job.silentSeconds),
  };
};

/** The wall clock of the earliest of these ages; null when none lies ahead. */
export const nextAtMs = (limits: Limits, agesSeconds: readonly number[]): number | null => {
  const ahead = agesSeconds.filter((age) => age > limits.ageSeconds);
  return ahead.length === 0 ? null : Math.round(limits.nowMs + (Math.min(...ahead) - limits.ageSeconds) * 1000);
};
