import { awakeNowSeconds } from '../os/awake-clock.ts';
import {
  asksForSilence,
  canBePutOff,
  reachedLimit,
  secondsToNextLimit,
  type ReachedLimit,
  type RunMoment,
} from './limits.ts';
import type { RunLimits } from './record/record.ts';

/**
 * Upper bound of one wait in seconds: a keep may be taken back meanwhile, and on macOS timers run
 * on while the machine sleeps.
 */
const maxWaitSeconds = 30;

/** Seconds between two checks of a limit that the user has put off. */
const keptLookSeconds = 2;

/**
 * Reports when a run reaches a limit. Counts monotonic time awake, so changes of the wall clock
 * have no effect.
 */
export class LimitClock {
  readonly #limits: RunLimits;
  readonly #onLimit: (limit: ReachedLimit) => void;
  readonly #keptUntilSeconds: () => number | null;
  #beganSeconds = 0;
  #idleSinceSeconds: number | null = null;
  #silent: boolean | null = null;
  #timer: NodeJS.Timeout | null = null;

  /**
   * `keptUntilSeconds` returns until when the limits are put off (`awakeNowSeconds`), or null. It
   * is called only when a limit is reached.
   */
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
