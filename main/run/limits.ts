import type { RunLimits } from './record/record.ts';

/** A limit that a run has reached. */
export type ReachedLimit = 'max-elapsed' | 'hard-cap' | 'idle';

/** Where a run stands, in seconds since it began. Suspended time counts. */
export interface RunMoment {
  readonly elapsedSeconds: number;
  /** When its output said that it was done; null: not yet, or nothing was asked for. */
  readonly idleSinceSeconds: number | null;
  /** Null where that need not be known; see `asksForSilence`. */
  readonly silent: boolean | null;
}

/** True when it matters now whether the run works: the limit of the settings has passed, and they spare what works. */
export const asksForSilence = (limits: RunLimits, elapsedSeconds: number): boolean =>
  limits.atMaxElapsed === 'reap-silent' &&
  limits.maxElapsedSeconds !== null &&
  elapsedSeconds >= limits.maxElapsedSeconds;

const endsAtMaxElapsed = (limits: RunLimits, silent: boolean | null): boolean =>
  limits.atMaxElapsed === 'always' ||
  limits.atMaxElapsed === 'reap' ||
  (limits.atMaxElapsed === 'reap-silent' && silent === true);

/** True for a limit that the person can put off: every one but the hard cap. */
export const canBePutOff = (limit: ReachedLimit): boolean => limit !== 'hard-cap';

/** The limit that ends the run now; null: none. The hard cap ends it whatever it does. */
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

/** Pause between two looks at whether a run that has passed the settings' limit works, in seconds. */
const silenceLookSeconds = 5;

/** Seconds until a limit can be reached at the earliest; at least 0. */
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
