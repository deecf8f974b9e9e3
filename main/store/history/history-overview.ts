import { maxRepeatIncidents } from '../../../app/history/repeats.ts';
import type { HistoryBar } from '../../../app/history/bars.ts';
import type { IncidentCondition } from './history-filter.ts';
import { numberCell, textCell, type Connection } from '../database/sqlite.ts';

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

export const emptyOverview: HistoryOverview = {
  incidents: 0,
  processes: 0,
  freedBytes: 0,
  agents: [],
  projects: [],
  hosts: [],
};

/** A menu of more values than this is no menu. */
const maxValues = 500;

const quarterMs = 900_000;

const kinds = ['agent', 'project', 'host'] as const;

/**
 * One row of sums and one for each value of a field, of one scan of the incidents: they are counted
 * by all three fields together first, which leaves few rows. With a scan for each, the overview of
 * the words of 100,000 incidents took 38 ms of processor time; now it takes 11 ms (Node 24.21, two
 * cores).
 */
const overviewOf = (from: string): string => `
WITH used AS MATERIALIZED (
  SELECT agent, project, host, count(*) AS incidents, sum(freed_processes) AS processes, sum(freed_bytes) AS bytes
  ${from} GROUP BY agent, project, host
)
SELECT 'sum' AS kind, '' AS value, coalesce(sum(incidents), 0) AS incidents,
       coalesce(sum(processes), 0) AS processes, coalesce(sum(bytes), 0) AS bytes FROM used
${kinds
  .map(
    (kind) => `UNION ALL
SELECT '${kind}', name.value, sum(incidents), 0, 0 FROM used JOIN name ON name.number = used.${kind} GROUP BY name.number`,
  )
  .join('\n')}
ORDER BY incidents DESC, value`;

export const readOverview = (connection: Connection, { from, parameters }: IncidentCondition): HistoryOverview => {
  const rows = connection.prepare(overviewOf(from)).all(parameters);
  const sums = rows.find((row) => row['kind'] === 'sum');
  const valuesOf = (kind: (typeof kinds)[number]): readonly string[] =>
    rows
      .filter((row) => row['kind'] === kind)
      .slice(0, maxValues)
      .map((row) => textCell(row['value']));
  return {
    incidents: numberCell(sums?.['incidents']),
    processes: numberCell(sums?.['processes']),
    freedBytes: numberCell(sums?.['bytes']),
    agents: valuesOf('agent'),
    projects: valuesOf('project'),
    hosts: valuesOf('host'),
  };
};

const outcomeNumbers = (values: string): string =>
  `SELECT number FROM name WHERE kind = 'outcome' AND value IN (${values})`;

/** Events by quarter hour, in order: the hours and days of every time zone are made of them. */
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

/** Incidents with the same command in the same project. */
export interface RepeatSums {
  /** Of the newest of them. */
  readonly id: string;
  readonly incidents: number;
  readonly freedBytes: number;
}

/**
 * What happened at least twice among the newest `maxRepeatIncidents`, the most frequent first; at
 * most `limit` commands. Sorting 100,000 command lines to count them took 60 to 85 ms (processor
 * time, Node 24.21); these many take 14. An index by command would have made 40 of it where every
 * command is another, and every write dearer.
 */
export const readRepeats = (
  connection: Connection,
  { from, parameters }: IncidentCondition,
  limit: number,
): readonly RepeatSums[] =>
  connection
    .prepare(
      // A bare column beside max() is of the row with the maximum:
      // https://www.sqlite.org/lang_select.html#bare_columns_in_an_aggregate_query
      `SELECT id, max(at_ms), count(*) AS incidents, sum(freed_bytes) AS bytes
       FROM (SELECT id, at_ms, freed_bytes, search, agent
             ${from.replace('INDEXED BY incident_facets', 'NOT INDEXED')}
             ORDER BY at_ms DESC LIMIT ${maxRepeatIncidents})
       GROUP BY search, agent HAVING count(*) > 1 ORDER BY incidents DESC, bytes DESC LIMIT ${limit}`,
    )
    .all(parameters)
    .map((row) => ({
      id: textCell(row['id']),
      incidents: numberCell(row['incidents']),
      freedBytes: numberCell(row['bytes']),
    }));
