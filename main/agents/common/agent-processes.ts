import type { AgentId } from '../../../app/agents/common/agent-id.ts';
import { programOf } from '../../../app/agents/signatures.ts';
import { type ProcessRow, hasEnded } from '../../../app/process/row.ts';
import type { ProcessTable } from '../../../app/process/table.ts';

export interface AgentProcess {
  readonly agent: AgentId;
  readonly row: ProcessRow;
}

const programs = new WeakMap<ProcessRow, AgentId | 'none'>();

/**
 * The agent whose part a row is. Rows that didn't change are the same objects from look to look, so
 * each is compared once.
 */
const programOfRow = (row: ProcessRow): AgentId | null => {
  let program = programs.get(row);
  if (program === undefined) {
    program = programOf(row) ?? 'none';
    programs.set(row, program);
  }
  return program === 'none' ? null : program;
};

/** Every living agent's own process of the table's user, started by hand or by another agent. */
export const agentProcesses = (table: ProcessTable): readonly AgentProcess[] => {
  const found: AgentProcess[] = [];
  for (const row of table.rows.values()) {
    if (row.kernelThread || row.uid !== table.uid || hasEnded(row)) continue;
    const agent = programOfRow(row);
    if (agent !== null) found.push({ agent, row });
  }
  return found;
};
