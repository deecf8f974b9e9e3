import { type GuardForm, usualGuard } from '../common/guard-form.ts';
import { type AskingHookForm, silence } from '../common/hook-form.ts';

/**
 * How Copilot CLI asks before a command: `toolName` and `toolArgs`, in some versions as text
 * (https://docs.github.com/en/copilot/reference/hooks-reference). On Windows its `bash` is for a
 * POSIX shell, its PowerShell is a tool of another name. Its tool `write_bash` types into a running
 * command.
 */
export const copilotGuard: GuardForm = {
  ...usualGuard,
  answer: ({ kind, text, changed }) =>
    kind === 'deny'
      ? { permissionDecision: 'deny', permissionDecisionReason: text }
      : { ...(changed === null ? {} : { modifiedArgs: changed }), additionalContext: text },
  posixOnWindows: true,
};

/**
 * Hooks of Copilot CLI: the events that 1.0.102 was seen to fire. It has none at the end of a reply
 * that could be relied on. Timeouts in seconds. The session answer is by its documentation
 * (https://docs.github.com/en/copilot/reference/hooks-reference).
 */
export const copilotHooks: AskingHookForm = {
  events: [
    ['sessionStart', 'session-start', 5],
    ['postToolUse', 'tool', 5],
    ['sessionEnd', 'session-end', 5],
  ],
  beforeCommand: { name: 'preToolUse', matcher: { tool: 'bash' }, timeout: 5 },
  witness: 'children',
  neutralAnswer: silence,
  sessionAnswer: (text) => ({ additionalContext: text }),
};
