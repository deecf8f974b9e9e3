/** What an agent tells through its hooks: the kinds of `HookEvent`. */
export const hookEventKinds = ['session-start', 'tool', 'stop', 'session-end'] as const;

export type HookEventKind = (typeof hookEventKinds)[number];

/** What an agent's hook is called for: to note an event, or to ask the guard before a command. */
export type HookCall = HookEventKind | 'pre-tool-use';

/** An event: the agent's name for it, what it tells, and how long the agent waits, in its unit. */
export type HookedEvent = readonly [name: string, tells: HookEventKind, timeout: number];

/** The event before a command. `matcher`: the agent's name of its shell tool, if asked for. */
export interface BeforeCommand {
  readonly name: string;
  readonly matcher: { readonly tool: string } | 'none';
  readonly timeout: number;
}

/** How an agent calls hooks, and what it takes for an answer. */
export interface HookForm {
  readonly events: readonly HookedEvent[];
  /** `none`: the guard is not asked. */
  readonly beforeCommand: BeforeCommand | 'none';
  /** What a hook answers that has nothing to say; null: nothing at all. */
  readonly neutralAnswer: (call: HookCall) => string | null;
  /**
   * What witnesses its tool calls with `hooks install --witness`, apart from control groups.
   *
   * - `line`: a line before each command lets the tool shell note itself, so short ones are known,
   *   too.
   * - `bash-env`: the same by the variable of that name, for bash alone.
   * - `children`: its hooks around tool calls note what the agent has running then.
   * - `none`: it was not seen to call a hook around tool calls.
   */
  readonly witness: 'line' | 'bash-env' | 'children' | 'none';
  /** The answer to a session's start that tells the session a text; `none`: it takes none. */
  readonly sessionAnswer: ((text: string) => unknown) | 'none';
}

/** Hooks of an agent that asks the guard. */
export type AskingHookForm = HookForm & { readonly beforeCommand: BeforeCommand };

/** The session answer of Claude Code, which Codex and Gemini CLI took over. */
export const additionalContext = (text: string): unknown => ({
  hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: text },
});

/** The neutral answer of agents that take silence for one. */
export const silence = (): null => null;
