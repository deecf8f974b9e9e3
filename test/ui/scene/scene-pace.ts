/** What is still to come in a scene: by the clock, for people to watch, or one step at a time, for whoever looks at each. */
export class ScenePace {
  readonly #byHand: boolean;
  #waiting: (() => void)[] = [];

  constructor(byHand: boolean) {
    this.#byHand = byHand;
  }

  /** Lets something happen after so many milliseconds, or as the next step but those before it. The answer takes it back. */
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

  /** Lets the next thing happen. Throws when nothing is to come: what was waited for isn't there then. */
  step(): void {
    const happen = this.#waiting.shift();
    if (happen === undefined) throw new Error('nothing is to come in this scene');
    happen();
  }
}
