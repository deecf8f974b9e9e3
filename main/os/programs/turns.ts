/**
 * Runs at most `max` jobs at once, first come first served. Each is a process here: 200 looks at
 * other machines at once, each an ssh, take all cores and a gigabyte.
 */
export class Turns {
  readonly #max: number;
  readonly #waiting: (() => void)[] = [];
  #going = 0;

  /** @param max works at a time, at least 1 */
  constructor(max: number) {
    this.#max = Math.max(1, max);
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#going >= this.#max) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#going += 1;
    try {
      return await work();
    } finally {
      // The place is handed on, so that none can come between.
      const next = this.#waiting.shift();
      if (next === undefined) this.#going -= 1;
      else next();
    }
  }
}
