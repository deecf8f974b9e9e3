import { parseJson } from '../../format/json.ts';
import type { GuardDecision } from '../../guard/decide.ts';
import type { AgentShell } from '../../guard/script/guard-call.ts';

export type RawArguments = Readonly<Record<string, unknown>>;

export type SaidDecision = Exclude<GuardDecision, { kind: 'pass' }>;

/** A decision in words: one text, and the arguments with a changed command, null if unchanged. */
export interface GuardSaying {
  readonly kind: SaidDecision['kind'];
  readonly text: string;
  readonly changed: (RawArguments & { readonly command: string }) | null;
}

/** How an agent asks its hook before a command, and what it takes for an answer. */
export interface GuardForm {
  /** The arguments of a call of the agent's shell tool; null where another tool is called. */
  readonly shellArguments: (event: RawArguments) => RawArguments | null;
  readonly isBackground: (given: RawArguments) => boolean;
  readonly answer: (saying: GuardSaying) => unknown;
  /** The agent lets a hook change a command. */
  readonly canRewrite: boolean;
  /** On Windows too, its shell tool takes commands for a POSIX shell. */
  readonly posixOnWindows: boolean;
  readonly shell: AgentShell;
}

/** The JSON object in a text or value, or null. Never throws. */
export const objectOf = (value: unknown): RawArguments | null => {
  if (typeof value === 'string') return objectOf(parseJson(value));
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as RawArguments) : null;
};

/** One list of shell tools, as agents take over each other's; none has another tool so named. */
const shellTools: readonly string[] = ['Bash', 'bash', 'run_shell_command', 'shell', 'Shell'];

/** True for the name of a shell tool. */
export const isShellTool = (tool: unknown): boolean => typeof tool === 'string' && shellTools.includes(tool);

/** `shellArguments` of agents that tell a tool's name and arguments, which may be JSON text. */
const toolArguments = (event: RawArguments): RawArguments | null =>
  isShellTool(event['tool_name'] ?? event['toolName']) ? objectOf(event['tool_input'] ?? event['toolArgs']) : null;

/**
 * Whether arguments of a shell tool start the command in the background, by the names that agents
 * have for it: Claude Code, Gemini CLI, and Copilot CLI (its `detach` and `mode`). One function for
 * all, because agents take over each other's tools and none gives a name another meaning.
 */
const startsInBackground = (given: RawArguments): boolean =>
  given['run_in_background'] === true ||
  given['is_background'] === true ||
  given['detach'] === true ||
  given['mode'] === 'async';

/** What most agents' guards have in common. Where input leads is unknown, and a user may type. */
export const usualGuard = {
  shellArguments: toolArguments,
  isBackground: startsInBackground,
  canRewrite: true,
  posixOnWindows: false,
  shell: { commandInArguments: true, mayGoOn: false, standardInput: 'unknown', takesTyping: true },
} as const satisfies Omit<GuardForm, 'answer'>;

/** An answer before a tool in the form of Claude Code, which Codex took over. */
export const preToolUse = (fields: RawArguments): unknown => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields },
});
