import type { AgentId } from '../../agents/common/agent-id.ts';
import { plainCommandOf } from '../../agents/common/command-shell.ts';
import { isUpdater } from '../../agents/signatures.ts';
import { hasEnded, type ProcessRow } from '../../process/row.ts';
import type { ProcessRef } from '../ledger/ledger.ts';
import { isAdopter } from '../lineage/adopter.ts';
import type { TableView } from '../lineage/table-view.ts';
import { livingOf, type AgentWitness, type Witness } from '../lineage/witness.ts';

/** A tool call that nothing but the process which started it gives away. */
export interface PlainCall {
  readonly agent: AgentId;
  /** The agent's process, which a look saw alive and which has ended; null: it is the parent. */
  readonly ended: ProcessRef | null;
}

/**
 * Returns what tells the tool calls whose shells hide their environment (`/bin/zsh` of macOS).
 *
 * Such a shell leads its own kernel session, and an agent whose calls look so started it (see
 * `plainCalls` of the signatures): the agent is its living parent, or the kernel's number of what
 * started it is that of an agent which an earlier look saw, and which has ended. A number is never
 * given twice in a boot, so no recycled pid is taken for the agent.
 */
export const plainCalls = (
  { tree, table, profileOf, evidence }: Pick<TableView, 'tree' | 'table' | 'profileOf' | 'evidence'>,
  witnesses: readonly Witness[],
): ((row: ProcessRow) => PlainCall | null) => {
  const agents = new Map<number, AgentWitness>();
  for (const one of witnesses) if (one.kind === 'agent' && one.number !== undefined) agents.set(one.number, one);
  const hasNoInput = ({ pid }: ProcessRow): boolean => {
    const kind = evidence.channels?.().of(pid)?.standard[0]?.kind;
    return kind === 'null' || kind === 'terminal';
  };
  const isCallOf = (row: ProcessRow, agent: AgentId): boolean => {
    const when = evidence.signature(agent)?.plainCalls ?? 'none';
    return when === 'always' || (when === 'without-input' && hasNoInput(row));
  };

  return (row) => {
    if (Number(row.sid) !== Number(row.pid) || plainCommandOf(row.argv) === null) return null;
    if (evidence.hidesEnvironment?.(row) !== true) return null;
    const parent = tree.row(row.ppid);
    if (parent !== undefined && !hasEnded(parent) && !isAdopter(parent)) {
      const agent = profileOf(parent).program;
      if (agent === null || isUpdater(agent, parent.argv)) return null;
      const isStarter = row.numbers === undefined || row.numbers.starter === parent.numbers?.own;
      return isStarter && isCallOf(row, agent) ? { agent, ended: null } : null;
    }
    // What lost its parent keeps its terminal only where a user has one.
    const seen = row.numbers === undefined || row.tty !== 0 ? undefined : agents.get(row.numbers.starter);
    if (seen === undefined || !table.complete || livingOf(tree, seen) !== undefined) return null;
    if (!isCallOf(row, seen.agent)) return null;
    return { agent: seen.agent, ended: { pid: seen.pid, startTicks: seen.startTicks } };
  };
};
