import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { agentsFolder, pinnedAgent, type PinnedAgent } from './table.ts';

const file = (): string => join(agentsFolder(), 'latest/agents.json');

/** Returns one row for each agent: the first, which is its newest version. */
export const newestOf = (agents: readonly PinnedAgent[]): readonly PinnedAgent[] =>
  agents.filter((one, at) => agents.findIndex(({ agent }) => agent === one.agent) === at);

/** Writes down which newer versions `npm run agents -- --latest` fetched. */
export const rememberLatest = (agents: readonly PinnedAgent[]): void => {
  mkdirSync(dirname(file()), { recursive: true });
  writeFileSync(file(), JSON.stringify(agents, null, 2));
};

/** Returns the newer versions that were fetched last; empty where the pinned are the newest. */
export const latestAgents = (): readonly PinnedAgent[] =>
  existsSync(file()) ? z.array(pinnedAgent).parse(JSON.parse(readFileSync(file(), 'utf8'))) : [];
