import { needsLook } from '../contract/claims/claims.ts';
import type { Snapshot } from '../contract/views/snapshot.ts';
import { endedNotice, noticesFor, wantsNotice, type Notice } from './notice.ts';
import { Noticed } from './noticed.ts';
import { englishVoice, type Voice } from '../text/voice.ts';

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
