/**
 * The agents that Curfew knows, `curfew-run` for what was started under supervision, and `other`
 * for lesser known agents and for what the user's own rules describe. All that is known of one
 * stands in its dossier, in the folder of its id.
 */
export const agentIds = [
  'claude-code',
  'copilot',
  'codex',
  'gemini',
  'opencode',
  'cursor',
  'mux',
  'aider',
  'pi',
  'qwen',
  'cline',
  'continue',
  'crush',
  'openclaw',
  'hermes',
  'kimi',
  'curfew-run',
  'other',
] as const;

/** Which program started a command. */
export type AgentId = (typeof agentIds)[number];

/** The agent meant where a hook's call names none, and in whose name Curfew tests its hooks. */
export const defaultAgent: AgentId = 'claude-code';

/** The id that an agent gives to one run of itself, verbatim. Opaque; never used as a path. */
export type AgentSessionId = string & { readonly __brand: 'AgentSessionId' };

/** Marks a text as an agent's session id. */
export const asAgentSessionId = (value: string): AgentSessionId => value as AgentSessionId;
