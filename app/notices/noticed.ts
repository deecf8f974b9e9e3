import { needsLook } from '../contract/claims/claims.ts';
import type { Snapshot, SnapshotJob } from '../contract/views/snapshot.ts';
import { jobKey } from './notice.ts';

/**
 * Remembers which jobs the user was told about, with their states and diagnoses, to avoid
 * repetition.
 */
export class Noticed {
  readonly #told = new Map<string, Set<string>>();

  /** Returns the jobs with a new state or diagnosis; they count as told from now on. */
  fresh(jobs: readonly SnapshotJob[]): readonly SnapshotJob[] {
    return jobs.filter((job) => {
      const told = this.#told.get(jobKey(job)) ?? new Set();
      const before = told.size;
      for (const saying of [job.verdict.state, ...job.diagnoses]) told.add(saying);
      this.#told.set(jobKey(job), told);
      return told.size > before;
    });
  }

  /**
   * Forgets jobs that no longer need a look, and returns those that do: notifications about others
   * are obsolete.
   */
  follow(snapshot: Snapshot): ReadonlySet<string> {
    const needed = new Set(snapshot.jobs.filter(needsLook).map(jobKey));
    for (const key of this.#told.keys()) if (!needed.has(key)) this.#told.delete(key);
    return needed;
  }
}
