import { agentIds, type AgentId } from '../../../app/agents/common/agent-id.ts';
import { outcomes, type IncidentEvent, type Outcome } from '../../../app/history/incident.ts';
import type { EndTotal, EndTotals } from '../../../app/metrics/facts.ts';
import { numberCell, textCell } from '../database/cell.ts';
import { inTransaction, prepared, type Connection } from '../database/sqlite.ts';

const addEnd = `
INSERT INTO end_total (agent, outcome, ends, processes, freed_bytes, survivors)
VALUES (:agent, :outcome, 1, :processes, :bytes, :survivors)
ON CONFLICT DO UPDATE SET ends = ends + 1, processes = processes + :processes,
  freed_bytes = freed_bytes + :bytes, survivors = survivors + :survivors`;

/**
 * Counts an outcome that an incident did not have before. Nothing is ever taken back: an end that
 * was interrupted and completed later counts once as each. Inside a transaction of the caller.
 */
export const countEnd = (
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
