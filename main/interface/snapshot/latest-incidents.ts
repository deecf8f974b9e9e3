import { incidentView } from '../../../app/contract/views/incident-view-of.ts';
import { incidentSummary, type IncidentSummary } from '../../../app/contract/views/incident-view.ts';
import { english } from '../../../app/text/english.ts';
import type { History } from '../../store/history/history.ts';
import { fileStamp } from '../../store/files/json-file.ts';
import { StoreFailure } from '../../store/database/store-failure.ts';

/** Number of incidents in the snapshot. */
const latest = 20;

/** The newest incidents, read again only when the record was written to, by any process. */
export class LatestIncidents {
  readonly #history: History;
  readonly #path: string;
  #read: { readonly version: string; readonly incidents: IncidentSummary[] } | null = null;

  /** @param path of the history's database */
  constructor(history: History, path: string) {
    this.#history = history;
    this.#path = path;
  }

  /**
   * Returns the incidents, newest first. If the record can't be read: those read last, or none; the
   * health reports it.
   */
  list(): IncidentSummary[] {
    // Writes go to the log beside the database first (https://www.sqlite.org/wal.html).
    const stamps = [this.#path, `${this.#path}-wal`].map((path) => fileStamp(path, Date.now()));
    const version = stamps.map((stamp) => stamp.version).join('|');
    if (this.#read?.version === version && !stamps.some(({ fresh }) => fresh)) return this.#read.incidents;
    try {
      const { incidents } = this.#history.page({}, 0, latest);
      this.#read = {
        version,
        incidents: incidents.map((incident) => incidentSummary(incidentView(incident, english))),
      };
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
    }
    return this.#read?.incidents ?? [];
  }
}
