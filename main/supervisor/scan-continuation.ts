import type { Look } from '../observing/look.ts';
import type { LookStep, ReaperProgress } from '../reaping/progress.ts';

/**
 * So long the loop may work before others get a turn, milliseconds: the windows are answered by the
 * same thread.
 */
export const sliceMs = 20;

/** Counts the time since others had a turn. */
export class Slice {
  #beganMs: number;

  /** @param usedMs what of it is over already, milliseconds */
  constructor(usedMs: number) {
    this.#beganMs = performance.now() - usedMs;
  }

  /** Lets others in when the slice is used up. */
  *turn(): Generator<LookStep, void> {
    if (performance.now() - this.#beganMs < sliceMs) return;
    yield { ended: [], failed: [], more: true };
    this.#beganMs = performance.now();
  }
}

/** What follows from a look, a step at a time. */
export class ScanContinuation {
  readonly look: Look;
  /** How many looks there had been when it was made. */
  readonly looks: number;
  readonly #steps: Iterator<LookStep, void>;

  /** @param steps what is to be done, as an iterator that does it */
  constructor(look: Look, looks: number, steps: Iterator<LookStep, void>) {
    this.look = look;
    this.looks = looks;
    this.#steps = steps;
  }

  /**
   * Goes on up to where others are to be let in; true when all is done. Throws what the work
   * throws.
   */
  step(): boolean {
    for (;;) {
      const { done, value } = this.#steps.next();
      if (done === true) return true;
      if (value.more) return false;
    }
  }

  /** Does all of it now and gives what came to its end. Throws what the work throws. */
  drain(): ReaperProgress {
    const ended: ReaperProgress['ended'][number][] = [];
    const failed: ReaperProgress['failed'][number][] = [];
    for (;;) {
      const { done, value } = this.#steps.next();
      if (done === true) return { ended, failed };
      ended.push(...value.ended);
      failed.push(...value.failed);
    }
  }
}
