import { agentIds, agentNames, otherAgentNames, type AgentId } from './agent-id.ts';

/** What else an agent is called: its command, and its name with the maker's. */
const commonNames: Readonly<Record<AgentId, readonly string[]>> = {
  'claude-code': ['claude'],
  copilot: ['github-copilot', 'copilot-cli'],
  codex: ['codex-cli', 'openai-codex'],
  gemini: ['gemini-cli', 'google-gemini'],
  opencode: ['open-code'],
  cursor: ['cursor-agent', 'cursor-cli'],
  mux: ['cmux', 'coder-mux'],
  aider: ['aider-chat'],
  'curfew-run': ['run'],
  // The lesser known agents are recorded under one id.
  other: Object.entries(otherAgentNames).flatMap(([key, name]) => [key, name]),
};

/** One form for `Claude Code`, `claude_code` and `claude-code`. */
const plain = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/gu, '-');

const idsByName: ReadonlyMap<string, AgentId> = new Map(
  agentIds
    .toReversed()
    .flatMap((id) => [id, agentNames[id], ...commonNames[id]].map((name) => [plain(name), id] as const)),
);

/** The names to offer: each agent by the shortest name that it has, and by its id. */
export const offeredAgentNames: readonly string[] = [
  ...new Set(agentIds.flatMap((id) => (id === 'claude-code' ? ['claude', id] : [id]))),
];

/** Returns the agent of an id or a common name, in any case, or null where no agent is called so. */
export const agentNamed = (name: string): AgentId | null => idsByName.get(plain(name)) ?? null;
