import type { HistoryBar } from '../../../app/history/bars.ts';
import type { IncidentCondition } from './history-filter.ts';
import { numberCell, textCell } from '../database/cell.ts';
import type { Connection } from '../database/sqlite.ts';

/** Sums over a part of the record, and which values its fields take there. */
export interface HistoryOverview {
  readonly incidents: number;
  /** Confirmed dead. */
  readonly processes: number;
  readonly freedBytes: number;
  /** The most frequent first. */
  readonly agents: readonly string[];
  readonly projects: readonly string[];
  readonly hosts: readonly string[];
}

/** The overview of nothing. */
export const emptyOverview: HistoryOverview = {
  incidents: 0,
  processes: 0,
  freedBytes: 0,
  agents: [],
  projects: [],
  hosts: [],
};

/** A menu of more values than this is no menu. */
const mostValues = 500;

const quarterMs = 900_000;

const valuesOf = (
  connection: Connection,
  { from, parameters }: IncidentCondition,
  column: 'agent' | 'project' | 'host',
): readonly string[] =>
  connection
    .prepare(
      `SELECT name.value AS value FROM
         (SELECT ${column} AS number, count(*) AS incidents ${from} AND ${column} IS NOT NULL GROUP BY ${column}) AS used
         JOIN name USING (number)
       ORDER BY used.incidents DESC, name.value LIMIT ${mostValues}`,
    )
    .all(parameters)
    .map((row) => textCell(row['value']));

/** The sums and the values of a part of the record. */
export const readOverview = (connection: Connection, condition: IncidentCondition): HistoryOverview => {
  const sums = connection
    .prepare(
      `SELECT count(*) AS incidents, coalesce(sum(freed_processes), 0) AS processes,
              coalesce(sum(freed_bytes), 0) AS bytes ${condition.from}`,
    )
    .get(condition.parameters);
  return {
    incidents: numberCell(sums?.['incidents']),
    processes: numberCell(sums?.['processes']),
    freedBytes: numberCell(sums?.['bytes']),
    agents: valuesOf(connection, condition, 'agent'),
    projects: valuesOf(connection, condition, 'project'),
    hosts: valuesOf(connection, condition, 'host'),
  };
};

const outcomeNumbers = (values: string): string =>
  `SELECT number FROM name WHERE kind = 'outcome' AND value IN (${values})`;

/** What happened by quarters of an hour, in order: short enough that every time zone's hours and days are made of them. */
export const readQuarters = (connection: Connection, { from, parameters }: IncidentCondition): readonly HistoryBar[] =>
  connection
    .prepare(
      `SELECT at_ms / ${quarterMs} AS quarter,
              count(*) AS incidents,
              count(*) FILTER (WHERE outcome IN (${outcomeNumbers("'reaped', 'killed'")})) AS ended,
              count(*) FILTER (WHERE outcome IN (${outcomeNumbers("'survived'")})) AS survived,
              sum(freed_bytes) AS bytes
       ${from} GROUP BY quarter ORDER BY quarter`,
    )
    .all(parameters)
    .map((row) => {
      const ended = numberCell(row['ended']);
      const survived = numberCell(row['survived']);
      return {
        atMs: numberCell(row['quarter']) * quarterMs,
        ended,
        survived,
        other: numberCell(row['incidents']) - ended - survived,
        freedBytes: numberCell(row['bytes']),
      };
    });
