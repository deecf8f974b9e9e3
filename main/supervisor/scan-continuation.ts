import type { Look } from '../observing/look.ts';
import { type LookStep, othersFirst, type ReaperProgress } from '../reaping/drive.ts';

/** Milliseconds of work before yielding to the event loop, which answers windows too. */
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
    yield othersFirst;
    this.#beganMs = performance.now();
  }
}

/** A look and what follows from it, a step at a time. */
export class ScanContinuation {
  /** How many looks had been begun when it was made. */
  readonly looks: number;
  readonly #steps: Iterator<LookStep, Look>;
  #look: Look | null = null;

  /** @param steps what is to be done, as an iterator that does it and returns the look */
  constructor(looks: number, steps: Iterator<LookStep, Look>) {
    this.looks = looks;
    this.#steps = steps;
  }

  /** The look, once all is done. */
  get look(): Look | null {
    return this.#look;
  }

  /** Goes on until others are to be let in; true when all is done. Throws what the work throws. */
  step(): boolean {
    while (this.#look === null) {
      const { done, value } = this.#steps.next();
      if (done === true) this.#look = value;
      else if (value.more) return false;
    }
    return true;
  }

  /** Does all of it now and gives what came to its end. Throws what the work throws. */
  drain(): ReaperProgress {
    const ended: ReaperProgress['ended'][number][] = [];
    const failed: ReaperProgress['failed'][number][] = [];
    for (;;) {
      const { done, value } = this.#steps.next();
      if (done === true) {
        this.#look = value;
        return { ended, failed };
      }
      ended.push(...value.ended);
      failed.push(...value.failed);
    }
  }
}
