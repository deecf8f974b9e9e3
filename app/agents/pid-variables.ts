import type { AgentId } from './common/agent-id.ts';

/*
 * A part of every dossier in a file of its own: the guard runs before each command and loads
 * nothing else of them (20 kB less to compile).
 */

/** The variables in which an agent tells its own pid to a command. */
const byAgent: Readonly<Record<AgentId, readonly string[]>> = {
  'claude-code': ['CLAUDE_PID'],
  codex: [],
  copilot: [],
  gemini: [],
  opencode: ['OPENCODE_PID', 'KILO_PID'],
  mux: [],
  cursor: [],
  aider: [],
  'curfew-run': [],
  other: [],
};

/** The variables in which any agent tells its own pid to a command. */
export const pidVariables: readonly string[] = Object.values(byAgent).flat();
