import type { FirstSignalName } from '../../app/process/signal.ts';

/** Whoever ends a service or closes a terminal sends several signals at once; who asks a second time does so later, milliseconds. */
const atOnceMs = 1000;

/** Tells whether `curfew run` was told to end a second time, with TERM: then what is left of the grace is not waited for. */
export class SecondSignal {
  #firstMs: number | null = null;
  #hurried = false;

  /** It was told to end. */
  note(signal: FirstSignalName): void {
    const nowMs = performance.now();
    if (this.#firstMs === null) this.#firstMs = nowMs;
    else if (signal === 'TERM' && nowMs - this.#firstMs >= atOnceMs) this.#hurried = true;
  }

  /** True from the second time on. */
  get hurried(): boolean {
    return this.#hurried;
  }
}
