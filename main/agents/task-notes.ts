import type { AgentId } from '../../app/agents/common/agent-id.ts';
import type { AgentNote } from '../../app/jobs/lineage/evidence.ts';
import { agentParts } from './dossiers.ts';

/**
 * Returns a reader of what agents note of their tasks beside the output files: of an agent and the
 * path of an output file, null where nothing is noted.
 * @param uid whose files the notes have to be
 */
export const openTaskNotes = (uid: number): ((agent: AgentId, output: string) => AgentNote | null) => {
  const readers = new Map<string, (output: string) => AgentNote | null>(
    Object.entries(agentParts).flatMap(([agent, { taskNotes }]) =>
      taskNotes === 'none' ? [] : [[agent, taskNotes(uid)] as const],
    ),
  );
  return (agent, output) => readers.get(agent)?.(output) ?? null;
};
