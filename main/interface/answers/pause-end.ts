import type { PausedUntil } from '../../supervisor/pause.ts';

/** The longest that a timer of Node can wait, milliseconds: beyond it fires at once. https://nodejs.org/api/timers.html#settimeoutcallback-delay-args */
const maxTimerMs = 2_147_483_647;

/** Calls when a pause ends by itself, so that it is seen at that moment and not at the next look. */
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

  /** Nothing is called any more. */
  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
