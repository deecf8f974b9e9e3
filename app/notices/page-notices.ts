import { needsLook } from '../contract/views/needs-look.ts';
import type { Snapshot } from '../contract/views/snapshot.ts';
import { endedNotice, noticesFor, wantsNotice, type Notice } from './notice.ts';
import { Noticed } from './noticed.ts';

/** What a page says of itself while nobody looks at it. */
export interface News {
  readonly notices: readonly Notice[];
  /** The jobs that still need a look, as `jobKey` has them: what was said of others has been overtaken by events. */
  readonly needing: ReadonlySet<string>;
}

/**
 * Finds in the snapshots of a page what the person is to be told, by the same rules as on a desktop. What stood in the first one is on the
 * page that was just opened: it is not told.
 */
export class PageNotices {
  readonly #noticed = new Noticed();
  /** The incidents of the snapshot before that had come to their end; null before the first. */
  #ended: ReadonlySet<string> | null = null;

  /** What is new in this snapshot. */
  follow(snapshot: Snapshot): News {
    const needing = this.#noticed.follow(snapshot);
    const fresh = this.#noticed.fresh(snapshot.jobs.filter((job) => needsLook(job) && wantsNotice(job, snapshot)));
    const before = this.#ended;
    const ended = snapshot.incidents.filter(({ outcome }) => outcome !== null);
    this.#ended = new Set(ended.map(({ id }) => id));
    if (before === null) return { notices: [], needing };
    // Newest first in a snapshot, and in the order in which they ended for whoever is told.
    const news = ended.filter(({ id }) => !before.has(id)).toReversed();
    const last = endedNotice(news, snapshot);
    return { notices: [...noticesFor(fresh, snapshot), ...(last === null ? [] : [last])], needing };
  }
}
