import type { AgentId } from '../../app/agents/common/agent-id.ts';
import { agentParts } from '../agents/dossiers.ts';
import { type PlacesInput, possibleAgentFolders } from './places.ts';

/** Returns the folders of an agent with settings of the user: none that only others name. */
export const ownFolders = (agent: AgentId, places: PlacesInput): readonly string[] =>
  possibleAgentFolders(agent, { ...places, environments: places.environments.slice(0, 1), seen: [] });

/**
 * Returns the days for which an agent keeps its files of these folders, the most that any of its
 * settings says; infinity where it has no such setting, or another process named the folder: that
 * may be in a sandbox, and write there what it likes.
 */
export const keptDaysOf = (agent: AgentId, folders: readonly string[], places: PlacesInput): number => {
  const { keptDays } = agentParts[agent];
  if (keptDays === 'none' || folders.length === 0) return Number.POSITIVE_INFINITY;
  const own = ownFolders(agent, places);
  return Math.max(
    ...folders.map((folder) => (own.includes(folder) ? keptDays(folder, places.projects) : Number.POSITIVE_INFINITY)),
  );
};
