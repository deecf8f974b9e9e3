/** The agents that Curfew knows, `curfew-run` for what was started under supervision, and `other` for what the person's own rules describe. */
export const agentIds = [
  'claude-code',
  'copilot',
  'codex',
  'gemini',
  'opencode',
  'cursor',
  'mux',
  'aider',
  'curfew-run',
  'other',
] as const;

/** Which program started a command. */
export type AgentId = (typeof agentIds)[number];

/** The id that an agent gives to one run of itself, verbatim. Opaque; never used as a path. */
export type AgentSessionId = string & { readonly __brand: 'AgentSessionId' };

/** Marks a text as an agent's session id. */
export const asAgentSessionId = (value: string): AgentSessionId => value as AgentSessionId;
