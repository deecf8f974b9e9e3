import { searchText } from '../../../app/history/filter.ts';
import { type IncidentEvent, type Intent, outcomes, type Outcome } from '../../../app/history/incident.ts';
import { storedIntent } from '../../../app/history/stored.ts';
import { numberCell, textCell, prepared, type Connection, inTransaction } from '../database/sqlite.ts';
import { agentIds, type AgentId } from '../../../app/agents/common/agent-id.ts';
import type { EndTotal, EndTotals } from '../../../app/metrics/facts.ts';

const addEnd = `
INSERT INTO end_total (agent, outcome, ends, processes, freed_bytes, survivors)
VALUES (:agent, :outcome, 1, :processes, :bytes, :survivors)
ON CONFLICT DO UPDATE SET ends = ends + 1, processes = processes + :processes,
  freed_bytes = freed_bytes + :bytes, survivors = survivors + :survivors`;

/**
 * Counts an outcome that an incident did not have before. Nothing is ever taken back: an end that
 * was interrupted and completed later counts once as each. Inside a transaction of the caller.
 */
const countEnd = (
  connection: Connection,
  agent: string,
  { outcome, freed, survivors }: Extract<IncidentEvent, { readonly kind: 'ended' }>,
): void => {
  prepared(connection, addEnd).run({
    agent,
    outcome,
    processes: Math.round(freed.processes),
    bytes: Math.round(freed.rssBytes),
    survivors: survivors.length,
  });
};

/** Begins to count anew, for a user who deletes the whole record. `nowMs`: wall clock. */
export const forgetEndTotals = (connection: Connection, nowMs: number): void => {
  inTransaction(connection, () => {
    connection.exec('DELETE FROM end_total');
    connection.prepare('UPDATE counted_since SET at_ms = ?').run(Math.round(nowMs));
  });
};

const isAgent = (text: string): text is AgentId => agentIds.some((id) => id === text);
const isOutcome = (text: string): text is Outcome => outcomes.some((outcome) => outcome === text);

/** Reads all totals. Agents and outcomes of a later Curfew are left out. */
export const readEndTotals = (connection: Connection): Extract<EndTotals, { readonly kind: 'read' }> => {
  const since = connection.prepare('SELECT at_ms FROM counted_since').get();
  const totals = connection
    .prepare('SELECT * FROM end_total')
    .all()
    .flatMap((row): EndTotal | [] => {
      const [agent, outcome] = [textCell(row['agent']), textCell(row['outcome'])];
      if (!isAgent(agent) || !isOutcome(outcome)) return [];
      return {
        agent,
        outcome,
        ends: numberCell(row['ends']),
        processes: numberCell(row['processes']),
        freedBytes: numberCell(row['freed_bytes']),
        survivors: numberCell(row['survivors']),
      };
    });
  return { kind: 'read', sinceMs: since === undefined ? null : numberCell(since['at_ms']), totals };
};

const insertIncident = `
INSERT INTO incident (at_ms, id, agent, host, project, search)
VALUES (:atMs, :id, :agent, :host, :project, :search)`;

const insertEvent = `
INSERT INTO event (incident, number, body)
VALUES (:id, (SELECT coalesce(max(number) + 1, 0) FROM event WHERE incident = :id), :body)`;

/** Of two endings the one counts that `foldIncident` takes. */
const updateOutcome = `
UPDATE incident SET outcome = :outcome, freed_processes = :processes, freed_bytes = :bytes
WHERE id = :id AND (outcome IS NULL OR :outcome <> :interrupted)`;

/** Texts that repeat are kept once; see `history-design.ts`. */
export type NameKind = 'agent' | 'host' | 'project' | 'outcome';

const numberOf = (connection: Connection, kind: NameKind, value: string): number => {
  const parameters = { kind, value: value.toWellFormed() };
  const find = prepared(connection, 'SELECT number FROM name WHERE kind = :kind AND value = :value');
  const found = find.get(parameters);
  if (found !== undefined) return numberCell(found['number']);
  const insert = prepared(connection, 'INSERT INTO name (kind, value) VALUES (:kind, :value)');
  return Number(insert.run(parameters).lastInsertRowid);
};

/** Writes an intent as the first record of a new incident. Inside a transaction of the caller. */
export const putIntent = (connection: Connection, intent: Intent): void => {
  prepared(connection, insertIncident).run({
    atMs: Math.round(intent.atMs),
    id: intent.id,
    agent: numberOf(connection, 'agent', intent.agent),
    host: numberOf(connection, 'host', intent.host),
    project: intent.project === null ? null : numberOf(connection, 'project', intent.project),
    search: searchText(intent),
  });
  prepared(connection, insertEvent).run({ id: intent.id, body: JSON.stringify(intent) });
};

const selectKnown = `
SELECT agent.value AS agent, coalesce(outcome.value, '') AS outcome FROM incident
JOIN name AS agent ON agent.number = incident.agent
LEFT JOIN name AS outcome ON outcome.number = incident.outcome
WHERE incident.id = ?`;

/**
 * Writes what happened in an incident. Inside a transaction of the caller.
 * @returns false, and nothing is written, when there is no such incident
 */
export const putEvent = (connection: Connection, id: string, event: IncidentEvent): boolean => {
  const known = prepared(connection, selectKnown).get(id);
  if (known === undefined) return false;
  prepared(connection, insertEvent).run({ id, body: JSON.stringify(event) });
  if (event.kind === 'ended') {
    const { changes } = prepared(connection, updateOutcome).run({
      id,
      outcome: numberOf(connection, 'outcome', event.outcome),
      interrupted: numberOf(connection, 'outcome', 'interrupted'),
      processes: Math.round(event.freed.processes),
      bytes: Math.round(event.freed.rssBytes),
    });
    if (Number(changes) > 0 && textCell(known['outcome']) !== event.outcome)
      countEnd(connection, textCell(known['agent']), event);
  }
  return true;
};

const selectOpen = `
SELECT incident.id AS id, event.body AS body FROM incident JOIN event ON event.incident = incident.id AND event.number = 0
WHERE incident.outcome IS NULL`;

/**
 * The intents of all incidents that are not complete, whether their writers still live or not.
 * Inside a transaction of the caller.
 * @param known what the caller has written itself, by id, which is not read again: of 500 jobs that
 *   are ended at once each was read four times
 */
export const openIntents = (connection: Connection, known: (id: string) => Intent | null): readonly Intent[] =>
  prepared(connection, selectOpen)
    .all()
    .map((row) => known(textCell(row['id'])) ?? storedIntent(textCell(row['body'])))
    .filter((intent) => intent !== null);

/** Changes an unread row: its transaction shows whether anything can be written. */
export const putProbe = (connection: Connection, atMs: number): void => {
  connection
    .prepare('INSERT INTO probe (id, at_ms) VALUES (1, ?) ON CONFLICT DO UPDATE SET at_ms = excluded.at_ms')
    .run(Math.round(atMs));
};
