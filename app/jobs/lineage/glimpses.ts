import type { ProcessRef } from '../ledger/ledger.ts';
import type { Glimpse } from './evidence.ts';
import type { BelowAgent } from '../../model/proof.ts';
import type { ProcessRow } from '../../process/row.ts';
import type { TableView } from './table-view.ts';
import type { AgentWitness } from './witness.ts';
import { lineageOf } from './lineage.ts';
import { isNumberCertain, usersSessionsOf } from './witness-shells.ts';

const isSame = (left: ProcessRef, right: ProcessRef): boolean =>
  left.pid === right.pid && left.startTicks === right.startTicks;

/**
 * Returns, for a process, what was seen of its descent between two looks; null for nothing. A
 * glimpse proves the process that was seen, and what is in the kernel session that a tool shell
 * leads: a session is only ever inherited. A program of the user (a browser that the agent opened
 * through a launcher) proves nothing, nor what is below it or in its session: the user may have
 * started that. Nor does what was seen below an agent that adopts the orphans of others.
 */
export const descentByGlimpses = (
  view: Pick<TableView, 'table' | 'tree' | 'evidence' | 'profileOf'>,
  agents: readonly AgentWitness[],
): ((row: ProcessRow) => BelowAgent | null) => {
  const { table, tree, evidence } = view;
  const glimpses = Map.groupBy(evidence.glimpses?.() ?? [], ({ pid }) => pid);
  if (glimpses.size === 0) return () => null;
  const usersSessions = usersSessionsOf(view);
  const callOf = (row: ProcessRow): Glimpse | undefined => {
    const [latest] = (glimpses.get(row.sid) ?? [])
      .filter(({ leadsCall, startTicks }) => leadsCall && startTicks <= row.startTicks)
      .toSorted((left, right) => right.startTicks - left.startTicks);
    return latest !== undefined && isNumberCertain({ table, tree }, latest, row) ? latest : undefined;
  };
  return (row) => {
    if (row.tty !== 0 || row.windows !== undefined || usersSessions.has(row.sid)) return null;
    const { end } = lineageOf(view, row);
    if (end !== null && end.program === null) return null;
    const seen = glimpses.get(row.pid)?.find((one) => isSame(one, row)) ?? callOf(row);
    const agent = seen === undefined ? undefined : agents.find((one) => isSame(one, seen.agent));
    if (agent === undefined || agent.adopts === true) return null;
    const process = { pid: agent.pid, startTicks: agent.startTicks };
    return { proof: { kind: 'look', agent: agent.agent, process, atMs: table.takenAtMs }, below: process };
  };
};
