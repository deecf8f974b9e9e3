import { rmSync } from 'node:fs';
import { z } from 'zod';
import { once } from '../../app/format/once.ts';
import { readJsonFile } from '../store/files/json-file.ts';
import { writeWholeFile } from '../store/files/whole-file.ts';
import type { Look } from '../observing/look.ts';

/**
 * Nothing to watch over: then it is enough to look this many times less often. New commands need an
 * agent first.
 */
const idleFactor = 3;
/**
 * After a session told that it ends: by then it has exited, or what it left has shown itself again.
 * Milliseconds.
 */
const hurriedMs = 1000;
/**
 * A limit that passes between two looks is looked at when it does, but looks are at least so far
 * apart, milliseconds.
 */
const minPauseMs = 1000;
/** While a user looks at the jobs, milliseconds: a new one shows within two seconds. */
const attendedMs = 1500;
/**
 * Looking may take at most this share of one core, whatever the machine's size. The first look of a
 * run and one at 500 jobs take 0.1 to 0.3 s of processor time (measured with two cores); they must
 * not put off the second sighting.
 */
const maxShare = 0.1;

/** The longest pause between two looks on a machine that answers, milliseconds. */
export const maxPauseMs = (scanIntervalSeconds: number): number => scanIntervalSeconds * 1000 * idleFactor;

/** Milliseconds until something happens to a job by itself, null when nothing will. */
const untilNext = ({ jobs, table }: Look): number | null => {
  let next: number | null = null;
  for (const { verdict } of jobs.values()) {
    if (verdict.atMs === null || verdict.atMs <= table.takenAtMs) continue;
    const ms = verdict.atMs - table.takenAtMs;
    if (next === null || ms < next) next = ms;
  }
  return next;
};

/**
 * Milliseconds until the next look. As the settings say while there are agents or jobs, less often
 * while there are none, and never so often that a slow machine does nothing but look. Soon, when
 * the look says so or a limit is about to pass: then what is due is sighted at once, and the second
 * sighting is a whole interval away. `attended`: a user looks at the jobs; what is seen more often
 * for that is not ended sooner, because two sightings are an interval apart all the same.
 */
export const pauseAfter = (look: Look, scanIntervalSeconds: number, attended = false): number => {
  const busy = look.jobs.size > 0 || look.sessions.some((session) => session.state !== 'gone');
  const steadyMs = scanIntervalSeconds * 1000 * (busy ? 1 : idleFactor);
  const untilMs = untilNext(look);
  const nextMs = untilMs === null ? steadyMs : Math.min(steadyMs, Math.max(minPauseMs, untilMs));
  const seenMs = attended ? Math.min(nextMs, attendedMs) : nextMs;
  const wantedMs = look.hurries === true ? Math.min(seenMs, hurriedMs) : seenMs;
  return Math.max(wantedMs, (look.cpuMs ?? look.tookMs) / maxShare);
};

/** Moments that JavaScript's Date can show end here (ECMA-262, time values), milliseconds. */
const lastMomentMs = 8.64e15;

const storedSchema = once(() => z.object({ untilMs: z.number().min(0).max(lastMomentMs) }));

/**
 * Until when nothing is ended or told by itself: a moment of the wall clock in milliseconds, until
 * resumed, or not at all.
 */
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
   * Pauses for so many seconds, or until it is resumed (null).
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
