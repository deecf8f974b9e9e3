/** A rate limit: `capacity` times at once, `perSecond` in the long run. */
export class TokenBucket {
  readonly #capacity: number;
  readonly #perSecond: number;
  #tokens: number;
  #atMs: number;

  constructor(capacity: number, perSecond: number, nowMs: number) {
    this.#capacity = capacity;
    this.#perSecond = perSecond;
    this.#tokens = capacity;
    this.#atMs = nowMs;
  }

  /** Returns whether it may happen now. A clock set back has no effect. Milliseconds. */
  take(nowMs: number): boolean {
    const passed = Math.max(0, nowMs - this.#atMs) / 1000;
    this.#tokens = Math.min(this.#capacity, this.#tokens + passed * this.#perSecond);
    this.#atMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
