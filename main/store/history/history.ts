import type { HistoryBar } from '../../../app/history/bars.ts';
import type { HistoryFilter } from '../../../app/history/filter.ts';
import type { Incident } from '../../../app/history/incident.ts';
import type { EndTotals } from '../../../app/metrics/facts.ts';
import type { DatabasePlace } from '../database/database-design.ts';
import { readDatabase } from '../database/lasting-database.ts';
import { readEndTotals } from './end-totals.ts';
import { incidentCondition } from './history-filter.ts';
import {
  emptyOverview,
  readOverview,
  readQuarters,
  readRepeats,
  type HistoryOverview,
  type RepeatSums,
} from './history-overview.ts';
import { countAfter, readIncidents, readKeys, type IncidentKey } from './history-rows.ts';
import type { Connection } from '../database/sqlite.ts';
import { numberCell } from '../database/cell.ts';

/** Which incidents, and where to begin. */
export interface HistoryQuery extends HistoryFilter {
  /** Incidents to return at most. */
  readonly limit?: number | null;
  /**
   * Only those that come after this one in the order of reading: the incident that was read last.
   */
  readonly before?: IncidentKey | null;
}

export interface HistoryPage {
  /** How many the filter lets through in all. */
  readonly total: number;
  readonly incidents: readonly Incident[];
}

/** Incidents in memory at a time while streaming; between two such reads the file is closed. */
const streamPage = 250;

/**
 * The record, for reading. Opens the file for each read and closes it again, so that a reader that
 * pauses for hours (`| less`) does not hold up tidying. Where there is no file there is no history,
 * and none is made. Every method throws `StoreFailure` when the file can't be read.
 */
export class History {
  readonly #place: DatabasePlace;

  constructor(place: DatabasePlace) {
    this.#place = place;
  }

  /**
   * The incidents asked for, newest first, a page at a time, so that 100,000 don't fill memory.
   * What is recorded while it reads is not among them.
   */
  *query(query: HistoryQuery): Generator<Incident, void, undefined> {
    let before = query.before ?? null;
    let left = query.limit ?? Number.POSITIVE_INFINITY;
    while (left > 0) {
      const limit = Math.min(left, streamPage);
      const from = before;
      const page = this.#read((connection) => {
        const keys = readKeys(connection, incidentCondition(connection, query), { limit, before: from, offset: 0 });
        return { keys, incidents: this.#incidents(connection, keys) };
      });
      if (page === null) return;
      yield* page.incidents;
      before = page.keys.at(-1) ?? null;
      left -= limit;
      if (page.keys.length < limit) return;
    }
  }

  page(filter: HistoryFilter, offset: number, limit: number): HistoryPage {
    const page = this.#read((connection): HistoryPage => {
      const condition = incidentCondition(connection, filter);
      const keys = readKeys(connection, condition, { limit, before: null, offset });
      const last = keys.at(-1);
      const isLastPage = keys.length < limit && (keys.length > 0 || offset === 0);
      // Counting goes on where the page ended, so that both together are one scan.
      const after = isLastPage || last === undefined ? 0 : countAfter(connection, condition, last);
      const seen = last === undefined && offset > 0 ? countAfter(connection, condition, null) : offset + keys.length;
      const total = seen + after;
      return { total, incidents: this.#incidents(connection, keys) };
    });
    return page ?? { total: 0, incidents: [] };
  }

  get(id: string): Incident | null {
    return this.#read((connection) => readIncidents(connection, [id])[0]) ?? null;
  }

  /**
   * Incidents without an ending, oldest first: the reapings in progress, and those whose Curfew
   * died in the middle. The process table tells which is which (`writer` and `bootId` of the
   * incident); `interruption` makes the ending of the latter.
   */
  unfinished(): readonly Incident[] {
    return [...this.query({ outcome: 'unfinished' })].toReversed();
  }

  /** Sums over what the filter lets through, and which values its fields take. */
  overview(filter: HistoryFilter): HistoryOverview {
    return this.#read((connection) => readOverview(connection, incidentCondition(connection, filter))) ?? emptyOverview;
  }

  /**
   * Since when records say what was held at one look, epoch milliseconds; null where all that the
   * filter lets through do.
   */
  freedSinceMs(filter: HistoryFilter): number | null {
    const row = this.#read((connection) => connection.prepare('SELECT since_ms FROM freed_at_once').get());
    const sinceMs = numberCell(row?.['since_ms']);
    const fromMs = filter.sinceMs ?? 0;
    const untilMs = Math.min(sinceMs, filter.untilMs ?? sinceMs);
    return fromMs < sinceMs && this.overview({ ...filter, untilMs }).incidents > 0 ? sinceMs : null;
  }

  /**
   * What was ended since the record was begun, also what it no longer holds. Throws StoreFailure.
   */
  endTotals(): Extract<EndTotals, { readonly kind: 'read' }> {
    return this.#read(readEndTotals) ?? { kind: 'read', sinceMs: null, totals: [] };
  }

  /**
   * What happened by quarters of an hour, in order, for `historyBars`. Quarters in which nothing
   * happened are left out.
   */
  quarters(filter: HistoryFilter): readonly HistoryBar[] {
    return this.#read((connection) => readQuarters(connection, incidentCondition(connection, filter))) ?? [];
  }

  /**
   * Commands that the filter lets through at least twice, with the newest incident of each, the
   * most frequent first.
   */
  repeats(
    filter: HistoryFilter,
    limit: number,
  ): readonly (Pick<RepeatSums, 'incidents' | 'freedBytes'> & { readonly newest: Incident })[] {
    const found = this.#read((connection) => {
      const sums = readRepeats(connection, incidentCondition(connection, filter), limit);
      const newest = readIncidents(
        connection,
        sums.map(({ id }) => id),
      );
      const byId = new Map(newest.map((incident) => [incident.id, incident]));
      return sums.flatMap(({ id, incidents, freedBytes }) => {
        const incident = byId.get(id);
        return incident === undefined ? [] : [{ incidents, freedBytes, newest: incident }];
      });
    });
    return found ?? [];
  }

  #incidents(connection: Connection, keys: readonly IncidentKey[]): readonly Incident[] {
    const incidents = readIncidents(
      connection,
      keys.map(({ id }) => id),
    );
    const rows = keys.length - incidents.length;
    if (rows > 0) this.#place.notify({ kind: 'dropped', name: this.#place.design.name, path: this.#place.path, rows });
    return incidents;
  }

  #read<Result>(work: (connection: Connection) => Result): Result | null {
    return readDatabase(this.#place, work);
  }
}
