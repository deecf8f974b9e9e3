import { type GuardForm, isShellTool, objectOf, usualGuard } from '../common/guard-form.ts';
import type { AskingHookForm } from '../common/hook-form.ts';

/**
 * How Cursor asks before a command (https://cursor.com/docs/agent/hooks): it tells its own hooks of
 * a command and of no tool, and Claude Code's hooks, which it can run too, of a tool. Its hook
 * before a command can only allow, ask and refuse. It may feed commands to a shell that goes on.
 */
export const cursorGuard: GuardForm = {
  ...usualGuard,
  shellArguments: (event) => {
    const tool = event['tool_name'] ?? event['toolName'];
    if (tool !== undefined && !isShellTool(tool)) return null;
    return objectOf(event['tool_input'] ?? event['toolArgs']) ?? event;
  },
  answer: ({ kind, text }) =>
    kind === 'deny'
      ? { permission: 'deny', user_message: text, agent_message: text }
      : { permission: 'allow', agent_message: text },
  canRewrite: false,
  shell: { commandInArguments: false, mayGoOn: true, standardInput: 'unknown', takesTyping: false },
};

/**
 * Hooks of Cursor, by its documentation (https://cursor.com/docs/agent/hooks); it was not run.
 * Timeouts in seconds.
 *
 * It takes only JSON for an answer. Before a command it wants a permission and refuses the command
 * without ("returned stdout that is not valid JSON. The action was blocked for safety",
 * stablyai/orca#15619, ruvnet/ruflo#2613): `allow` says no more than that this hook has nothing
 * against it.
 */
export const cursorHooks: AskingHookForm = {
  events: [
    ['sessionStart', 'session-start', 5],
    ['afterShellExecution', 'tool', 5],
    ['stop', 'stop', 5],
    ['sessionEnd', 'session-end', 5],
  ],
  beforeCommand: { name: 'beforeShellExecution', matcher: 'none', timeout: 5 },
  witness: 'none',
  neutralAnswer: (call) => (call === 'pre-tool-use' ? '{"permission":"allow"}' : '{}'),
  sessionAnswer: (text) => ({ additional_context: text }),
};
