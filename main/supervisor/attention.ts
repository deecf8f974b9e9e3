/** How long in ms a user counts as looking after a window said so; it says so twice as often. */
const leaseMs = 10_000;

/**
 * Whether a user looks at what is found. A window says so again and again while it is visible, so
 * that nothing has to be taken back when it closes.
 */
export class Attention {
  readonly #now: () => number;
  #untilMs = -Infinity;

  /** @param now a clock in milliseconds that is never set */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** True while a user looks. */
  get given(): boolean {
    return this.#now() < this.#untilMs;
  }

  /** A window is visible. Returns true if none was before. */
  renew(): boolean {
    const isNew = !this.given;
    this.#untilMs = this.#now() + leaseMs;
    return isNew;
  }
}
