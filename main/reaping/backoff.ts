import type { Outcome } from '../../app/history/incident.ts';
import type { JobId } from '../../app/model/job.ts';

const firstPauseMs = 60_000;
const maxPauseMs = 3_600_000;

/**
 * Keeps a reaping that did not succeed from being tried again at every look: a process that waits
 * in the kernel, or may not be signalled, is no easier to end five seconds later, and each attempt
 * is an incident. The pause doubles from a minute to an hour.
 */
export class Retries {
  readonly #pauses = new Map<JobId, { readonly pauseMs: number; readonly untilMs: number }>();
  readonly #steadyNow: () => number;

  /** `steadyNow`: milliseconds by a clock that is never set. */
  constructor(steadyNow: () => number) {
    this.#steadyNow = steadyNow;
  }

  /** What came of an attempt; null: it had to be given up. */
  note(job: JobId, outcome: Outcome | null): void {
    if (outcome !== null && outcome !== 'survived' && outcome !== 'spared') {
      this.#pauses.delete(job);
      return;
    }
    const before = this.#pauses.get(job);
    const pauseMs = before === undefined ? firstPauseMs : Math.min(before.pauseMs * 2, maxPauseMs);
    this.#pauses.set(job, { pauseMs, untilMs: this.#steadyNow() + pauseMs });
  }

  /** False while the pause after the last attempt goes on. */
  allows(job: JobId): boolean {
    const pause = this.#pauses.get(job);
    return pause === undefined || this.#steadyNow() >= pause.untilMs;
  }

  keepOnly(jobs: { readonly has: (job: JobId) => boolean }): void {
    for (const job of this.#pauses.keys()) if (!jobs.has(job)) this.#pauses.delete(job);
  }
}
