/** A loop on a busy machine may be this late, ms. */
const maxLateMs = 60_000;

/** Tells whether the loop of looks still turns, for the service that started this process. */
export class SignsOfLife {
  readonly #intervalMs: () => number;
  #workedMs: number;

  /**
   * @param intervalMs time between two looks now
   * @param nowMs of a steady clock, as everywhere here
   */
  constructor(intervalMs: () => number, nowMs: number) {
    this.#intervalMs = intervalMs;
    this.#workedMs = nowMs;
  }

  /** A look has come to its end, well or not. */
  worked(nowMs: number): void {
    this.#workedMs = nowMs;
  }

  /** Returns whether the last look is as young as it should be. */
  isWorking(nowMs: number): boolean {
    return nowMs - this.#workedMs < 3 * this.#intervalMs() + maxLateMs;
  }
}
