import type { Steps } from '../../app/process/steps.ts';
import type { Look } from './look.ts';

/** Cuts steps into slices of time, and tells what they took without what came between them. */
export class Slices {
  readonly #maxMs: number;
  #beganMs = 0;
  #before: NodeJS.CpuUsage = process.cpuUsage();
  #tookMs = 0;
  #cpuMs = 0;

  /** @param maxMs how long a slice may take, roughly: until the step after which it is over */
  constructor(maxMs: number) {
    this.#maxMs = maxMs;
  }

  /** The same work in larger steps: others get a turn only when a slice is over. */
  *of<Result>(steps: Steps<Result>): Steps<Result> {
    this.#begin();
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return value;
      if (performance.now() - this.#beganMs < this.#maxMs) continue;
      this.#stop();
      yield;
      this.#begin();
    }
  }

  /** So far, the slice that goes on included. */
  taken(): Pick<Look, 'tookMs' | 'cpuMs'> {
    this.#stop();
    this.#begin();
    return { tookMs: this.#tookMs, cpuMs: this.#cpuMs };
  }

  #begin(): void {
    this.#beganMs = performance.now();
    this.#before = process.cpuUsage();
  }

  #stop(): void {
    const { user, system } = process.cpuUsage(this.#before);
    this.#tookMs += performance.now() - this.#beganMs;
    this.#cpuMs += (user + system) / 1000;
  }
}

/** Another look began before this one was over: nothing may be concluded from it. */
export class LookSuperseded extends Error {
  override readonly name = 'LookSuperseded';
}

/** The same steps; the next one throws LookSuperseded where that has come true. */
export function* unlessSuperseded<Result>(steps: Steps<Result>, isSuperseded: () => boolean): Steps<Result> {
  for (;;) {
    if (isSuperseded()) throw new LookSuperseded('another look was begun meanwhile');
    const { done, value } = steps.next();
    if (done === true) return value;
    yield;
  }
}

/** Does all of it, with turns for others between the steps. Rejects as the steps throw. */
export const inTurns = async <Result>(steps: Steps<Result>): Promise<Result> => {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
};
