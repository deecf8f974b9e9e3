import { awakeNowSeconds } from '../os/awake-clock.ts';
import type { RunLimits } from './record/record.ts';

export type ReachedLimit = 'max-elapsed' | 'hard-cap' | 'idle';

/** The state of a run at one moment, in seconds since it began. Suspended time counts. */
export interface RunMoment {
  readonly elapsedSeconds: number;
  /** When the output matched the idle pattern; null: not yet, or there is no pattern. */
  readonly idleSinceSeconds: number | null;
  /** Null where it does not matter; see `asksForSilence`. */
  readonly silent: boolean | null;
}

/** Returns whether silence matters: the settings' limit passed, and they spare a working run. */
export const asksForSilence = (limits: RunLimits, elapsedSeconds: number): boolean =>
  limits.atMaxElapsed === 'reap-silent' &&
  limits.maxElapsedSeconds !== null &&
  elapsedSeconds >= limits.maxElapsedSeconds;

const endsAtMaxElapsed = (limits: RunLimits, silent: boolean | null): boolean =>
  limits.atMaxElapsed === 'always' ||
  limits.atMaxElapsed === 'reap' ||
  (limits.atMaxElapsed === 'reap-silent' && silent === true);

/** Returns whether the user can put off this limit. The hard cap can't be put off. */
const canBePutOff = (limit: ReachedLimit): boolean => limit !== 'hard-cap';

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

/** Longest wait, seconds: a keep may be undone, and on macOS timers run on during sleep. */
const maxWaitSeconds = 30;

/** Seconds between two checks of a limit that the user has put off. */
const keptLookSeconds = 2;

/** Reports a run's limits. Counts time awake, so that a changed wall clock has no effect. */
export class LimitClock {
  readonly #limits: RunLimits;
  readonly #onLimit: (limit: ReachedLimit) => void;
  readonly #keptUntilSeconds: () => number | null;
  #beganSeconds = 0;
  #idleSinceSeconds: number | null = null;
  #silent: boolean | null = null;
  #timer: NodeJS.Timeout | null = null;

  /** `keptUntilSeconds` says until when limits are put off, or null; asked only at a limit. */
  constructor(limits: RunLimits, onLimit: (limit: ReachedLimit) => void, keptUntilSeconds: () => number | null) {
    this.#limits = limits;
    this.#onLimit = onLimit;
    this.#keptUntilSeconds = keptUntilSeconds;
  }

  start(): void {
    this.#beganSeconds = awakeNowSeconds();
    this.#check();
  }

  /** The output has matched the idle pattern; only the first call counts. */
  setIdle(): void {
    this.#idleSinceSeconds ??= this.#elapsed();
    this.#check();
  }

  setSilent(silent: boolean): void {
    this.#silent = silent;
    this.#check();
  }

  /** Returns `asksForSilence` for the time elapsed now. */
  asksForSilence(limits: RunLimits): boolean {
    return asksForSilence(limits, this.#elapsed());
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #elapsed(): number {
    return awakeNowSeconds() - this.#beganSeconds;
  }

  #check(): void {
    this.stop();
    const moment: RunMoment = {
      elapsedSeconds: this.#elapsed(),
      idleSinceSeconds: this.#idleSinceSeconds,
      silent: this.#silent,
    };
    const limit = reachedLimit(this.#limits, moment);
    const putOff = limit !== null && canBePutOff(limit) && (this.#keptUntilSeconds() ?? 0) > awakeNowSeconds();
    if (limit !== null && !putOff) {
      this.#onLimit(limit);
      return;
    }
    const next = putOff ? keptLookSeconds : secondsToNextLimit(this.#limits, moment);
    const capSeconds = Math.max(0, this.#limits.hardCapSeconds - moment.elapsedSeconds);
    const seconds = Math.min(maxWaitSeconds, next, capSeconds);
    // 10 ms more, so that the limit has passed when it is checked.
    this.#timer = setTimeout(() => this.#check(), seconds * 1000 + 10);
  }
}
