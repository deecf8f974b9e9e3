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

/** No single wait is longer, in seconds: a keep can be taken back meanwhile, and on macOS timers go on while the machine sleeps. */
const maxWaitSeconds = 30;

/** What was put off may end or be taken back: then it is looked at again so often, in seconds. */
const keptLookSeconds = 2;

/** Tells when a run reaches a limit. Counts time awake, which a change of the wall clock does not move. */
export class LimitClock {
  readonly #limits: RunLimits;
  readonly #onLimit: (limit: ReachedLimit) => void;
  readonly #keptUntilMs: () => number | null;
  #beganSeconds = 0;
  #idleSinceSeconds: number | null = null;
  #silent: boolean | null = null;
  #timer: NodeJS.Timeout | null = null;

  /** `keptUntilMs`: until when the person has put the limits off (wall clock, milliseconds; null: not at all); asked only when one is reached. */
  constructor(limits: RunLimits, onLimit: (limit: ReachedLimit) => void, keptUntilMs: () => number | null) {
    this.#limits = limits;
    this.#onLimit = onLimit;
    this.#keptUntilMs = keptUntilMs;
  }

  /** The run begins. */
  start(): void {
    this.#beganSeconds = awakeNowSeconds();
    this.#check();
  }

  /** Its output says that it is done; the first time counts. */
  setIdle(): void {
    this.#idleSinceSeconds ??= this.#elapsed();
    this.#check();
  }

  /** Whether it works, where that matters. */
  setSilent(silent: boolean): void {
    this.#silent = silent;
    this.#check();
  }

  /** See the function of that name. */
  asksForSilence(limits: RunLimits): boolean {
    return asksForSilence(limits, this.#elapsed());
  }

  /** Tells nothing more. */
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
    const putOff = limit !== null && canBePutOff(limit) && (this.#keptUntilMs() ?? 0) > Date.now();
    if (limit !== null && !putOff) {
      this.#onLimit(limit);
      return;
    }
    const next = putOff ? keptLookSeconds : secondsToNextLimit(this.#limits, moment);
    const capSeconds = Math.max(0, this.#limits.hardCapSeconds - moment.elapsedSeconds);
    const seconds = Math.min(maxWaitSeconds, next, capSeconds);
    // A hundredth more, so that the limit has passed when it is looked at.
    this.#timer = setTimeout(() => this.#check(), seconds * 1000 + 10);
  }
}
