import { needsLook } from '../contract/claims/claims.ts';
import type { Snapshot, SnapshotJob } from '../contract/views/snapshot.ts';
import { englishVoice, type Voice } from '../text/voice.ts';
import { jobKey, endedNotice, noticesFor, wantsNotice, type Notice } from './notice.ts';

/** Remembers which jobs, states and diagnoses the user was told, to avoid repetition. */
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

  /** Forgets jobs that need no look; returns the others: notices about the rest are obsolete. */
  follow(snapshot: Snapshot): ReadonlySet<string> {
    const needed = new Set(snapshot.jobs.filter(needsLook).map(jobKey));
    for (const key of this.#told.keys()) if (!needed.has(key)) this.#told.delete(key);
    return needed;
  }
}

/** What a page announces while the user looks elsewhere. */
export interface News {
  readonly notices: readonly Notice[];
  /** Keys (`jobKey`) of the jobs that still need a look; notices about others are obsolete. */
  readonly needing: ReadonlySet<string>;
}

/**
 * Finds what to tell the user in the snapshots of a page, by the rules of the desktop. The contents
 * of the first snapshot are visible on the new page and are not announced.
 */
export class PageNotices {
  readonly #noticed = new Noticed();
  /** Ended incidents of the previous snapshot; null before the first. */
  #ended: ReadonlySet<string> | null = null;

  follow(snapshot: Snapshot, voice: Voice = englishVoice): News {
    const needing = this.#noticed.follow(snapshot);
    const fresh = this.#noticed.fresh(snapshot.jobs.filter((job) => needsLook(job) && wantsNotice(job, snapshot)));
    const before = this.#ended;
    const ended = snapshot.incidents.filter(({ outcome }) => outcome !== null);
    this.#ended = new Set(ended.map(({ id }) => id));
    if (before === null) return { notices: [], needing };
    // A snapshot lists newest first; notifications come in the order of ending.
    const news = ended.filter(({ id }) => !before.has(id)).toReversed();
    const last = endedNotice(news, snapshot, voice);
    return { notices: [...noticesFor(fresh, snapshot, voice), ...(last === null ? [] : [last])], needing };
  }
}
