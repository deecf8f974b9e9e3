import { type GuardForm, preToolUse, usualGuard } from '../common/guard-form.ts';
import { type AskingHookForm, additionalContext, silence } from '../common/hook-form.ts';

/**
 * How Qwen Code asks before a command: in Claude Code's form, by its documentation. It would take a
 * change only together with `allow`, which skips the user's approval, so none is made.
 */
export const qwenGuard: GuardForm = {
  ...usualGuard,
  answer: ({ kind, text }) =>
    preToolUse(
      kind === 'deny' ? { permissionDecision: 'deny', permissionDecisionReason: text } : { additionalContext: text },
    ),
  canRewrite: false,
};

/**
 * Hooks of Qwen Code, in Claude Code's form (its own documentation in 0.24.4,
 * bundled/qc-helper/docs/features/hooks.md; observed). Timeouts in seconds: from 1000 on it takes
 * them for milliseconds.
 */
export const qwenHooks: AskingHookForm = {
  events: [
    ['SessionStart', 'session-start', 5],
    ['PostToolUse', 'tool', 5],
    ['Stop', 'stop', 5],
    ['SessionEnd', 'session-end', 5],
  ],
  beforeCommand: { name: 'PreToolUse', matcher: { tool: 'run_shell_command' }, timeout: 5 },
  witness: 'children',
  neutralAnswer: silence,
  sessionAnswer: additionalContext,
};
