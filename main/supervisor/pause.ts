import { rmSync } from 'node:fs';
import { z } from 'zod';
import { once } from '../../app/format/once.ts';
import { readJsonFile } from '../store/files/json-file.ts';
import { writeWholeFile } from '../store/files/whole-file.ts';

/** Moments that JavaScript's Date can show end here (ECMA-262, time values), milliseconds. */
const lastMomentMs = 8.64e15;

const storedSchema = once(() => z.object({ untilMs: z.number().min(0).max(lastMomentMs) }));

/** How long automatic ends and notices rest: to a moment (epoch ms), till resumed, or no time. */
export type PausedUntil = number | 'forever' | null;

/**
 * The user's wish that Curfew does nothing by itself for a while. One with an end is kept in a
 * file of the home, so that it also holds for the next supervisor and for a pass without a
 * supervisor; one without an end holds as long as this process: a pause that is forgotten must not
 * keep Curfew from its work for good.
 */
export class Pause {
  readonly #path: string;
  readonly #now: () => number;
  #until: PausedUntil;

  /** @param path of the file; @param now wall clock, milliseconds */
  constructor(path: string, now: () => number) {
    this.#path = path;
    this.#now = now;
    const file = readJsonFile(path);
    this.#until = file.kind === 'value' ? (storedSchema().safeParse(file.value).data?.untilMs ?? null) : null;
  }

  /** As it holds now; null once its end has come. */
  get until(): PausedUntil {
    if (typeof this.#until === 'number' && this.#until <= this.#now()) this.#until = null;
    return this.#until;
  }

  /**
   * Pauses for these seconds, or until it is resumed (null).
   * @throws the file system's error when the end could not be kept; paused it is all the same, as
   *   long as this process runs
   */
  begin(seconds: number | null): void {
    const untilMs = seconds === null ? null : this.#now() + seconds * 1000;
    const ends = untilMs !== null && untilMs <= lastMomentMs;
    this.#until = ends ? Math.round(untilMs) : 'forever';
    if (ends) writeWholeFile(this.#path, `${JSON.stringify({ untilMs: this.#until })}\n`);
    else rmSync(this.#path, { force: true });
  }

  /** Ends it. Throws the file system's error when it would come back with the next start. */
  end(): void {
    this.#until = null;
    rmSync(this.#path, { force: true });
  }
}
