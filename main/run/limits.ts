import type { RunLimits } from './record/record.ts';

/** A limit that a run has reached. */
export type ReachedLimit = 'max-elapsed' | 'hard-cap' | 'idle';

/** The state of a run at one moment, in seconds since it began. Suspended time counts. */
export interface RunMoment {
  readonly elapsedSeconds: number;
  /** When the output matched the idle pattern; null: not yet, or there is no pattern. */
  readonly idleSinceSeconds: number | null;
  /** Null where it does not matter; see `asksForSilence`. */
  readonly silent: boolean | null;
}

/**
 * Returns whether it matters now that the run is silent: the settings' limit has passed, and the
 * settings spare a working run.
 */
export const asksForSilence = (limits: RunLimits, elapsedSeconds: number): boolean =>
  limits.atMaxElapsed === 'reap-silent' &&
  limits.maxElapsedSeconds !== null &&
  elapsedSeconds >= limits.maxElapsedSeconds;

const endsAtMaxElapsed = (limits: RunLimits, silent: boolean | null): boolean =>
  limits.atMaxElapsed === 'always' ||
  limits.atMaxElapsed === 'reap' ||
  (limits.atMaxElapsed === 'reap-silent' && silent === true);

/** Returns whether the user can put off this limit. The hard cap can't be put off. */
export const canBePutOff = (limit: ReachedLimit): boolean => limit !== 'hard-cap';

export const reachedLimit = (limits: RunLimits, moment: RunMoment): ReachedLimit | null => {
  if (moment.elapsedSeconds >= limits.hardCapSeconds) return 'hard-cap';
  if (
    limits.maxElapsedSeconds !== null &&
    moment.elapsedSeconds >= limits.maxElapsedSeconds &&
    endsAtMaxElapsed(limits, moment.silent)
  )
    return 'max-elapsed';
  if (moment.idleSinceSeconds !== null && moment.elapsedSeconds >= moment.idleSinceSeconds + limits.idleGraceSeconds)
    return 'idle';
  return null;
};

/** Seconds between two checks for work after the settings' limit has passed. */
const silenceLookSeconds = 5;

/** Returns the seconds until the next limit can be reached; at least 0. */
export const secondsToNextLimit = (limits: RunLimits, moment: RunMoment): number => {
  const { elapsedSeconds } = moment;
  const deadlines = [limits.hardCapSeconds];
  if (limits.maxElapsedSeconds !== null && limits.atMaxElapsed !== 'notify')
    deadlines.push(
      asksForSilence(limits, elapsedSeconds) ? elapsedSeconds + silenceLookSeconds : limits.maxElapsedSeconds,
    );
  if (moment.idleSinceSeconds !== null) deadlines.push(moment.idleSinceSeconds + limits.idleGraceSeconds);
  return Math.max(0, Math.min(...deadlines) - elapsedSeconds);
};
