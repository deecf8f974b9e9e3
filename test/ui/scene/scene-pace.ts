/** Pending events of a scene: by the clock for viewing, or one step at a time for tests. */
export class ScenePace {
  readonly #byHand: boolean;
  #waiting: (() => void)[] = [];

  constructor(byHand: boolean) {
    this.#byHand = byHand;
  }

  /**
   * Schedules an event after a delay in milliseconds, or as a later step. Returns a function that
   * cancels it.
   */
  later(ms: number, happen: () => void): () => void {
    if (!this.#byHand) {
      const timer = setTimeout(happen, ms);
      return () => {
        clearTimeout(timer);
      };
    }
    this.#waiting.push(happen);
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== happen);
    };
  }

  /**
   * Lets the next thing happen. Throws when nothing is to come: what was waited for isn't there
   * then.
   */
  step(): void {
    const happen = this.#waiting.shift();
    if (happen === undefined) throw new Error('nothing is to come in this scene');
    happen();
  }
}
