import { messageOf } from '../../../../app/format/error-message.ts';
import { drain, type Steps } from '../../../../app/process/steps.ts';
import type { Output } from '../../common/output.ts';

/**
 * So long it may write before others get a turn, milliseconds: the supervisor works on the same
 * thread, and a document of 500 jobs takes 100 ms.
 */
const sliceMs = 10;

/**
 * Writes lines in the order in which they come, each in parts: a step yields after each part that
 * it wrote. A line that takes longer than a slice goes on in the next turn, and later ones wait for
 * it.
 */
export class LineStream {
  readonly #output: Pick<Output, 'write' | 'warn'>;
  readonly #waiting: Steps<void>[] = [];
  #turn: NodeJS.Immediate | null = null;

  constructor(output: Pick<Output, 'write' | 'warn'>) {
    this.#output = output;
  }

  /** Writes a line of these parts, worked out as they are written. */
  write(parts: Iterable<string>): void {
    this.#waiting.push(this.#written(parts));
    if (this.#turn === null) this.#go();
  }

  /** Writes all that waits now. */
  flush(): void {
    for (const one of this.#waiting.splice(0)) drain(one);
  }

  *#written(parts: Iterable<string>): Steps<void> {
    try {
      for (const part of parts) {
        void this.#output.write(part);
        yield;
      }
    } catch (error) {
      // The supervisor goes on, and so do the other lines.
      this.#output.warn(`curfew: a line could not be completed: ${messageOf(error)}`);
    }
    void this.#output.write('\n');
  }

  #go(): void {
    this.#turn = null;
    const beganMs = performance.now();
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      if (performance.now() - beganMs >= sliceMs) {
        this.#turn = setImmediate(() => this.#go());
        return;
      }
      if (first.next().done === true) this.#waiting.shift();
    }
  }
}
