import { isPlainCall, plainCommandOf } from '../../agents/common/command-shell.ts';
import type { AgentId } from '../../agents/common/agent-id.ts';
import type { ProcessRef } from '../ledger/ledger.ts';
import type { Glimpse } from './evidence.ts';
import type { BelowAgent } from '../../model/proof.ts';
import type { ProcessRow } from '../../process/row.ts';
import type { TableView } from './table-view.ts';
import type { AgentWitness } from './witness.ts';
import { isMarkedAsServer } from './adopting.ts';
import { lineageOf } from './lineage.ts';
import { isNumberCertain, usersSessionsOf } from './witness-shells.ts';

const isSame = (left: ProcessRef, right: ProcessRef): boolean =>
  left.pid === right.pid && left.startTicks === right.startTicks;

/** The shell of a tool call, of an agent that marks nothing. */
const isPlainShell = (
  { signature }: Pick<TableView['evidence'], 'signature'>,
  agent: AgentId,
  argv: readonly string[],
): boolean => {
  const told = signature(agent);
  return told?.toolShells === 'child'
    ? isPlainCall(argv, told.callFlags)
    : told?.callScript?.test(plainCommandOf(argv) ?? '') === true;
};

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
    if (seen === undefined || agent === undefined || agent.adopts === true) return null;
    const { shell } = seen;
    // It may be a helper of its agent, or what that started.
    if (seen.ofProgram === true && isMarkedAsServer(view, row, agent.agent)) return null;
    const isOfPlainCall = shell !== undefined && isPlainShell(evidence, agent.agent, shell.argv);
    // What else shares the session of the agent may hang below a program that was opened there.
    if (shell !== undefined && !shell.leads && shell.pid !== seen.pid && !isOfPlainCall) return null;
    const process = { pid: agent.pid, startTicks: agent.startTicks };
    const proof = { kind: 'look', agent: agent.agent, process, atMs: table.takenAtMs } as const;
    return { proof, below: process, ...(isOfPlainCall ? { ofPlainCall: true } : {}) };
  };
};
