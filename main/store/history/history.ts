import type { HistoryBar } from '../../../app/history/bars.ts';
import { type HistoryFilter, projectMatches, searchText, searchWords } from '../../../app/history/filter.ts';
import { foldIncident } from '../../../app/history/fold.ts';
import type { Incident } from '../../../app/history/incident.ts';
import type { Removal } from '../../../app/history/removal.ts';
import { storedEvent, storedIntent } from '../../../app/history/stored.ts';
import type { EndTotals } from '../../../app/metrics/facts.ts';
import { localHost } from '../../../app/remote/host-list.ts';
import { numberCell, textCell, type Connection } from '../database/sqlite.ts';
import type { DatabasePlace } from '../database/database-design.ts';
import { readDatabase } from '../database/lasting-database.ts';
import { readEndTotals } from './journal-rows.ts';
import { latestRemovals } from './removals.ts';
import { type IncidentCondition, incidentCondition } from './history-filter.ts';
import {
  type HistoryOverview,
  type RepeatSums,
  emptyOverview,
  readOverview,
  readQuarters,
  readRepeats,
} from './history-overview.ts';

/** Where an incident stands in the order of reading. Any incident is one. */
export interface IncidentKey {
  readonly atMs: number;
  readonly id: string;
}

export interface HistoryPart {
  readonly limit: number;
  readonly offset: number;
  /** Only what comes after this in the order of reading. */
  readonly before: IncidentKey | null;
}

/** The incidents of a condition, newest first, by key. */
const readKeys = (
  connection: Connection,
  { from, parameters }: IncidentCondition,
  { limit, offset, before }: HistoryPart,
): readonly IncidentKey[] => {
  const bound = before === null ? '' : 'AND (at_ms, id) < (:beforeAt, :beforeId)';
  return connection
    .prepare(`SELECT at_ms, id ${from} ${bound} ORDER BY at_ms DESC, id DESC LIMIT :limit OFFSET :offset`)
    .all({
      ...parameters,
      limit,
      offset,
      ...(before === null ? {} : { beforeAt: before.atMs, beforeId: before.id }),
    })
    .map((row) => ({ atMs: numberCell(row['at_ms']), id: textCell(row['id']) }));
};

/**
 * How many incidents a condition lets through, or of these only what comes after one in the order
 * of reading. Two questions in the second case: comparing pairs in one takes half as long again.
 */
const countAfter = (
  connection: Connection,
  { from, parameters }: IncidentCondition,
  after: IncidentKey | null,
): number => {
  const count = (bound: string, more: Readonly<Record<string, string | number>>): number =>
    numberCell(
      connection.prepare(`SELECT count(*) AS incidents ${from} ${bound}`).get({ ...parameters, ...more })?.[
        'incidents'
      ],
    );
  if (after === null) return count('', {});
  const { atMs, id } = after;
  return (
    count('AND at_ms < :afterAt', { afterAt: atMs }) +
    count('AND at_ms = :afterAt AND id < :afterId', { afterAt: atMs, afterId: id })
  );
};

/**
 * The incidents with these ids, put together from their records, in the order asked for. One is
 * left out when there is none with the id, or when its intent can't be read.
 */
const readIncidents = (connection: Connection, ids: readonly string[]): readonly Incident[] => {
  // Prepared once: preparing takes as long as reading.
  const records = connection.prepare('SELECT body FROM event WHERE incident = ? ORDER BY number');
  return ids.flatMap((id) => {
    const [first, ...rest] = records.all(id).map((row) => textCell(row['body']));
    const intent = first === undefined ? null : storedIntent(first);
    return intent === null
      ? []
      : foldIncident(
          intent,
          rest.flatMap((body) => storedEvent(body) ?? []),
        );
  });
};

/** Which incidents, and where to begin. */
export interface HistoryQuery extends HistoryFilter {
  /** Incidents to return at most. */
  readonly limit?: number | null;
  /** Only those after this one in the order of reading: the incident read last. */
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

  /**
   * What was removed of files, locks and worktrees, newest first: of this machine, and of no agent
   * and no outcome, so that a filter of one lets none through.
   */
  removals({ sinceMs, untilMs, agent, project, outcome, host, text }: HistoryFilter, limit: number | null) {
    if (agent != null || outcome != null || (host ?? localHost) !== localHost) return [];
    const wanted = searchWords(text ?? '');
    const isMeant = ({ atMs, path }: Removal): boolean =>
      atMs >= (sinceMs ?? atMs) &&
      atMs < (untilMs ?? Infinity) &&
      (project == null || projectMatches(path, project)) &&
      wanted.every((word) => searchText({ command: path, project: null }).includes(word));
    return latestRemovals(this.#place, limit, isMeant);
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

  /** Since when records say what one look held, epoch ms; null where all let through do. */
  freedSinceMs(filter: HistoryFilter): number | null {
    const row = this.#read((connection) => connection.prepare('SELECT since_ms FROM freed_at_once').get());
    const sinceMs = numberCell(row?.['since_ms']);
    const fromMs = filter.sinceMs ?? 0;
    const untilMs = Math.min(sinceMs, filter.untilMs ?? sinceMs);
    return fromMs < sinceMs && this.overview({ ...filter, untilMs }).incidents > 0 ? sinceMs : null;
  }

  /** What was ended since the record began, also what was dropped. Throws StoreFailure. */
  endTotals(): Extract<EndTotals, { readonly kind: 'read' }> {
    return this.#read(readEndTotals) ?? { kind: 'read', sinceMs: null, totals: [] };
  }

  /** Events by quarter hour, in order, for `historyBars`; empty quarters are left out. */
  quarters(filter: HistoryFilter): readonly HistoryBar[] {
    return this.#read((connection) => readQuarters(connection, incidentCondition(connection, filter))) ?? [];
  }

  /** Commands let through at least twice, most frequent first, each with its newest incident. */
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
