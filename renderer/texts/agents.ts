import type { AgentId } from '../../app/agents/common/agent-id.ts';

/** The letter of each agent's mark. */
const marks: Readonly<Record<AgentId, string>> = {
  'claude-code': 'C',
  copilot: 'P',
  codex: 'X',
  gemini: 'G',
  opencode: 'O',
  cursor: 'U',
  mux: 'M',
  aider: 'A',
  'curfew-run': '›',
  other: '?',
};

/** Returns the letter of an agent. */
export const agentMark = (agent: string): string =>
  Object.hasOwn(marks, agent) ? marks[agent as AgentId] : agent.slice(0, 1).toUpperCase();
