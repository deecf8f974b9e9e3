import type { AgentId } from '../../../app/agents/common/agent-id.ts';
import type { GuardedCommand } from '../../../app/guard/decide.ts';

/** JSON as an agent gives it to its hook. */
export type RawArguments = Readonly<Record<string, unknown>>;

/** A command that an agent is about to run, with everything else that the agent says of it. */
export interface GuardInput extends GuardedCommand {
  /** The tool's arguments as they came, so that a changed command can go back with all the rest of them. */
  readonly given: RawArguments;
}

const objectOf = (value: unknown): RawArguments | null => {
  if (typeof value === 'string') return objectOf(jsonOf(value));
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as RawArguments) : null;
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Whatever it is, it is no call that could be judged.
    return null;
  }
};

/** Where each agent puts the name of the tool and its arguments, and what it calls its shell. Cursor tells of nothing but commands. */
const shells = new Set(['Bash', 'bash', 'run_shell_command', 'shell', 'Shell']);

/** Names by which agents say that a command starts in the background: Claude Code, Gemini CLI, Copilot CLI (its `mode` and `detach`). */
const inBackground = (given: RawArguments): boolean =>
  given['run_in_background'] === true ||
  given['is_background'] === true ||
  given['detach'] === true ||
  given['mode'] === 'async';

/**
 * The command in what an agent tells its hook before a tool runs. Null for other tools and for whatever isn't understood. Read by hand and
 * not with zod, which would cost as much again as Node's whole start, before every command. Never throws.
 *
 * Claude Code, Codex and Gemini CLI: `tool_name` and `tool_input`; Copilot CLI: `toolName` and `toolArgs`, in some versions as text
 * (https://docs.github.com/en/copilot/reference/hooks-reference); Cursor: `command` (https://cursor.com/docs/agent/hooks).
 */
export const readGuardInput = (agent: AgentId, text: string): GuardInput | null => {
  const event = objectOf(jsonOf(text));
  if (event === null) return null;
  const tool = event['tool_name'] ?? event['toolName'];
  if (!(typeof tool === 'string' ? shells.has(tool) : agent === 'cursor' && tool === undefined)) return null;
  // Claude Code's hooks in Cursor are told of a tool, its own hooks of a command.
  const given = objectOf(event['tool_input'] ?? event['toolArgs']) ?? (agent === 'cursor' ? event : null);
  const command = given?.['command'];
  if (given === null || typeof command !== 'string') return null;
  return { command, background: inBackground(given), given };
};
