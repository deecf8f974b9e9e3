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

/** Names as their makers write them. They aren't translated. */
export const agentNames: Readonly<Record<AgentId, string>> = {
  'claude-code': 'Claude Code',
  copilot: 'GitHub Copilot CLI',
  codex: 'Codex CLI',
  gemini: 'Gemini CLI',
  opencode: 'opencode',
  cursor: 'Cursor',
  mux: 'mux',
  aider: 'aider',
  'curfew-run': 'curfew run',
  other: 'Another agent',
};

/** The lesser known agents, which are `other` together; the rule that recognised one says which it was (`qwen-marker`). */
export const otherAgentNames = {
  amp: 'Amp',
  goose: 'Goose',
  qwen: 'Qwen Code',
  crush: 'Crush',
  augment: 'Auggie',
  cline: 'Cline',
  roo: 'Roo Code',
  kilo: 'Kilo Code',
  iflow: 'iFlow CLI',
  pi: 'pi',
  antigravity: 'Antigravity',
  trae: 'Trae',
  junie: 'Junie',
  openclaw: 'OpenClaw',
  kiro: 'Kiro CLI',
  droid: 'Droid',
  continue: 'Continue',
} as const;

/** One of the lesser known agents. */
export type OtherAgentKey = keyof typeof otherAgentNames;

/** The id that an agent gives to one run of itself, verbatim. Opaque; never used as a path. */
export type AgentSessionId = string & { readonly __brand: 'AgentSessionId' };

/** Marks a text as an agent's session id. */
export const asAgentSessionId = (value: string): AgentSessionId => value as AgentSessionId;
