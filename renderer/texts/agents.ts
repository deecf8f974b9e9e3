import type { AgentId } from '../../app/agents/agent-id.ts';

/** Names as their makers write them, and the letter of the mark. Names aren't translated. */
const known: Readonly<Record<AgentId, { readonly name: string; readonly mark: string }>> = {
  'claude-code': { name: 'Claude Code', mark: 'C' },
  copilot: { name: 'Copilot', mark: 'P' },
  codex: { name: 'Codex', mark: 'X' },
  gemini: { name: 'Gemini', mark: 'G' },
  opencode: { name: 'opencode', mark: 'O' },
  cursor: { name: 'Cursor', mark: 'U' },
  mux: { name: 'mux', mark: 'M' },
  aider: { name: 'aider', mark: 'A' },
  'curfew-run': { name: 'curfew run', mark: '›' },
  other: { name: 'Own rule', mark: 'R' },
};

/** The name of an agent; an agent that this window is too old for goes by its id. */
export const agentName = (agent: string): string =>
  Object.hasOwn(known, agent) ? known[agent as AgentId].name : agent;

/** One letter that stands for an agent. */
export const agentMark = (agent: string): string =>
  Object.hasOwn(known, agent) ? known[agent as AgentId].mark : agent.slice(0, 1).toUpperCase();
