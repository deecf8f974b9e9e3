import { incidentView } from '../../../app/documents/incident.ts';
import { incidentSummary } from '../../../app/contract/views/incident-view.ts';
import type { Snapshot } from '../../../app/contract/views/snapshot.ts';
import { moment } from '../../../app/format/moment.ts';
import type { History } from '../../store/history/history.ts';
import { fileStamp } from '../../store/files/json-file.ts';
import { StoreFailure } from '../../store/database/store-failure.ts';

/** Number of incidents in the snapshot. */
const latest = 20;

const hourMs = 3_600_000;
const weekMs = 7 * 24 * hourMs;

type Recorded = Pick<Snapshot, 'incidents' | 'freedThisWeek'>;

const nothing: Recorded = { incidents: [], freedThisWeek: { processes: 0, rssBytes: 0, since: null } };

/** The sums of a week, without records of before, which count each process of a loop. */
const freedThisWeek = (history: History, nowMs: number): Recorded['freedThisWeek'] => {
  const weekAgoMs = nowMs - weekMs;
  const fromMs = history.freedSinceMs({ sinceMs: weekAgoMs });
  const { processes, freedBytes } = history.overview({ sinceMs: fromMs ?? weekAgoMs });
  return { processes, rssBytes: freedBytes, since: fromMs === null ? null : moment(fromMs) };
};

/**
 * The newest incidents and the sums of the last seven days, read again only when the record was
 * written to, by any process, or an hour has passed.
 */
export class LatestIncidents {
  readonly #history: History;
  readonly #path: string;
  #read: { readonly version: string; readonly recorded: Recorded } | null = null;

  /** @param path of the history's database */
  constructor(history: History, path: string) {
    this.#history = history;
    this.#path = path;
  }

  /** Returns incidents, newest first, and sums; unreadable: those last read; health reports it. */
  recorded(nowMs: number): Recorded {
    // Writes go to the log beside the database first (https://www.sqlite.org/wal.html).
    const stamps = [this.#path, `${this.#path}-wal`].map((path) => fileStamp(path, Date.now()));
    const version = [...stamps.map((stamp) => stamp.version), Math.floor(nowMs / hourMs)].join('|');
    if (this.#read?.version === version && !stamps.some(({ fresh }) => fresh)) return this.#read.recorded;
    try {
      const { incidents } = this.#history.page({}, 0, latest);
      this.#read = {
        version,
        recorded: {
          incidents: incidents.map((incident) => incidentSummary(incidentView(incident))),
          freedThisWeek: freedThisWeek(this.#history, nowMs),
        },
      };
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
    }
    return this.#read?.recorded ?? nothing;
  }
}
