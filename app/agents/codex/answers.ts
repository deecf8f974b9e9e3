import { type GuardForm, preToolUse, usualGuard } from '../common/guard-form.ts';
import { type AskingHookForm, additionalContext, silence } from '../common/hook-form.ts';

/**
 * How Codex asks before a command: in Claude Code's form (observed on 0.169). It takes a change
 * only together with `allow`, which decides nothing else there
 * (codex-rs/hooks/src/engine/output_parser.rs). Its tool `write_stdin` types into a running
 * command.
 */
export const codexGuard: GuardForm = {
  ...usualGuard,
  answer: ({ kind, text, changed }) =>
    kind === 'deny'
      ? preToolUse({ permissionDecision: 'deny', permissionDecisionReason: text })
      : preToolUse({
          ...(changed === null ? {} : { updatedInput: changed, permissionDecision: 'allow' }),
          additionalContext: text,
        }),
};

/** Codex CLI's hooks, in Claude Code's form. Timeouts: seconds, at SessionEnd at most 3 (0.169). */
export const codexHooks: AskingHookForm = {
  events: [
    ['SessionStart', 'session-start', 5],
    ['PostToolUse', 'tool', 5],
    ['Stop', 'stop', 5],
    ['SessionEnd', 'session-end', 3],
  ],
  beforeCommand: { name: 'PreToolUse', matcher: { tool: 'Bash' }, timeout: 5 },
  witness: 'children',
  neutralAnswer: silence,
  sessionAnswer: additionalContext,
};
