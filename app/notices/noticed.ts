import { needsLook } from '../contract/views/needs-look.ts';
import type { Snapshot, SnapshotJob } from '../contract/views/snapshot.ts';
import { jobKey } from './notice.ts';

/** Which jobs the person was told of, in which states and with which diagnoses, so that nobody hears the same twice. */
export class Noticed {
  readonly #told = new Map<string, Set<string>>();

  /** Those of the jobs that have something new about them, a state or a diagnosis; it counts as told from now on. */
  fresh(jobs: readonly SnapshotJob[]): readonly SnapshotJob[] {
    return jobs.filter((job) => {
      const told = this.#told.get(jobKey(job)) ?? new Set();
      const before = told.size;
      for (const saying of [job.verdict.state, ...job.diagnoses]) told.add(saying);
      this.#told.set(jobKey(job), told);
      return told.size > before;
    });
  }

  /** Forgets jobs that need no look any more, and returns which do: a notification of any other has nothing to say. */
  follow(snapshot: Snapshot): ReadonlySet<string> {
    const needed = new Set(snapshot.jobs.filter(needsLook).map(jobKey));
    for (const key of this.#told.keys()) if (!needed.has(key)) this.#told.delete(key);
    return needed;
  }
}
