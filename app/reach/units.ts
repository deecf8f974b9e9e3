import type { AgentId } from '../agents/common/agent-id.ts';
import type { Pid } from '../process/identity.ts';
import type { ProcessRow } from '../process/row.ts';
import type { ProcessTable } from '../process/table.ts';
import { relationsOf } from '../process/tree.ts';

/** An agent as one program: a launcher and what it runs again as itself are one. */
export interface AgentUnit {
  readonly agent: AgentId;
  readonly top: ProcessRow;
  /** `top`, and below it the same program with the same standard input. */
  readonly parts: readonly ProcessRow[];
}

/**
 * Gathers agents' processes into agents. Gemini CLI 0.61 runs itself a second time (observed), a
 * package of npm starts the program that it brings. A process with another standard input is an
 * agent of its own: an SDK that was started in a tool call.
 * @param sameInput whether two processes have the same file as standard input
 */
export const agentUnits = (
  table: ProcessTable,
  agents: readonly { readonly agent: AgentId; readonly row: ProcessRow }[],
  sameInput: (parent: Pid, child: Pid) => boolean,
): readonly AgentUnit[] => {
  const agentOf = new Map(agents.map(({ agent, row }) => [row.pid, agent]));
  const { children } = relationsOf(table.rows);
  const isPart = (agent: AgentId, parent: Pid, child: ProcessRow): boolean =>
    agentOf.get(child.pid) === agent && sameInput(parent, child.pid);
  const partsOf = (agent: AgentId, row: ProcessRow): readonly ProcessRow[] => [
    row,
    ...children(row.pid)
      .filter((child) => isPart(agent, row.pid, child))
      .flatMap((child) => partsOf(agent, child)),
  ];
  return agents
    .filter(({ agent, row }) => agentOf.get(row.ppid) !== agent || !sameInput(row.ppid, row.pid))
    .map(({ agent, row }) => ({ agent, top: row, parts: partsOf(agent, row) }));
};
