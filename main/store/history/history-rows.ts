import { foldIncident } from '../../../app/history/fold.ts';
import type { Incident } from '../../../app/history/incident.ts';
import { storedEvent, storedIntent } from '../../../app/history/stored.ts';
import type { IncidentCondition } from './history-filter.ts';
import { numberCell, textCell } from '../database/cell.ts';
import type { Connection } from '../database/sqlite.ts';

/** Where an incident stands in the order of reading. Any incident is one. */
export interface IncidentKey {
  readonly atMs: number;
  readonly id: string;
}

/** Which part of what a condition lets through. */
export interface Extract {
  readonly limit: number;
  readonly offset: number;
  /** Only what comes after this in the order of reading. */
  readonly before: IncidentKey | null;
}

/** The incidents of a condition, newest first, by key. */
export const readKeys = (
  connection: Connection,
  { from, parameters }: IncidentCondition,
  { limit, offset, before }: Extract,
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
export const countAfter = (
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
export const readIncidents = (connection: Connection, ids: readonly string[]): readonly Incident[] => {
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
