import type { PausedUntil } from '../../supervisor/pause.ts';

/** Longest timer delay, ms; beyond it fires at once. https://nodejs.org/api/timers.html */
const maxTimerMs = 2_147_483_647;

/** Calls back when a pause expires, so that this shows at that moment and not at the next scan. */
export class PauseEnd {
  readonly #until: () => PausedUntil;
  readonly #ended: () => void;
  #timer: NodeJS.Timeout | null = null;

  constructor(until: () => PausedUntil, ended: () => void) {
    this.#until = until;
    this.#ended = ended;
    this.follow();
  }

  /** The pause was changed. */
  follow(): void {
    this.close();
    const until = this.#until();
    if (typeof until !== 'number') return;
    const waitMs = Math.min(maxTimerMs, Math.max(0, until - Date.now()));
    this.#timer = setTimeout(() => {
      this.follow();
      if (this.#until() === null) this.#ended();
    }, waitMs);
    this.#timer.unref();
  }

  /** Stops calling back. */
  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
