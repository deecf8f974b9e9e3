import type { Look } from '../observing/look.ts';
import type { LookStep, ReaperProgress } from '../reaping/progress.ts';

/** What follows from a look, a step at a time. */
export class RestOfLook {
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

  /** Goes on up to where others are to be let in; true when all is done. Throws what the work throws. */
  goOn(): boolean {
    for (;;) {
      const { done, value } = this.#steps.next();
      if (done === true) return true;
      if (value.more) return false;
    }
  }

  /** Does all of it now and gives what came to its end. Throws what the work throws. */
  finish(): ReaperProgress {
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
