import type { Incident, Intent } from '../../app/history/incident.ts';
import type { JobId } from '../../app/model/job.ts';

export interface ReapingFailure {
  readonly job: JobId;
  readonly error: unknown;
  /** Null when not even the intent could be written. */
  readonly intent: Intent | null;
  /** How many of its processes lived when it was given up. */
  readonly left: number;
}

/**
 * What came out of advancing: incidents that are complete, and reapings that had to be given up.
 */
export interface ReaperProgress {
  readonly ended: readonly Incident[];
  readonly failed: readonly ReapingFailure[];
}

/** One step of what follows from a look; `more`: others are to be let in before the next. */
export interface LookStep extends ReaperProgress {
  readonly more: boolean;
}

/** Nothing came to its end: others are to be let in. */
export const othersFirst: LookStep = { ended: [], failed: [], more: true };

/** Lets others in after each step of some work; returns its result. */
export function* letOthersIn<Result>(steps: Generator<undefined, Result, unknown>): Generator<LookStep, Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    yield othersFirst;
  }
}
