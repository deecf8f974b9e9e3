import type { FirstSignalName } from '../../app/process/signal.ts';

/**
 * Ending a service or closing a terminal sends several signals at once. A second request comes
 * later than this, in ms.
 */
const atOnceMs = 1000;

/** Detects a second request (TERM) to end `curfew run`; the rest of the grace is then skipped. */
export class SecondSignal {
  #firstMs: number | null = null;
  #hurried = false;

  /** Records a signal that asks for the end. */
  note(signal: FirstSignalName): void {
    const nowMs = performance.now();
    if (this.#firstMs === null) this.#firstMs = nowMs;
    else if (signal === 'TERM' && nowMs - this.#firstMs >= atOnceMs) this.#hurried = true;
  }

  /** True from the second request on. */
  get hurried(): boolean {
    return this.#hurried;
  }
}
