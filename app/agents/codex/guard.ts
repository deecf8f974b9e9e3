import { preToolUse, toolArguments, startsInBackground, type GuardForm } from '../common/guard-form.ts';

/**
 * How Codex asks before a command: in Claude Code's form (observed on 0.169). It takes a change
 * only together with `allow`, which decides nothing else there
 * (codex-rs/hooks/src/engine/output_parser.rs). Its tool `write_stdin` types into a running
 * command.
 */
export const codexGuard: GuardForm = {
  shellArguments: toolArguments,
  isBackground: startsInBackground,
  answer: ({ kind, text, changed }) =>
    kind === 'deny'
      ? preToolUse({ permissionDecision: 'deny', permissionDecisionReason: text })
      : preToolUse({
          ...(changed === null ? {} : { updatedInput: changed, permissionDecision: 'allow' }),
          additionalContext: text,
        }),
  canRewrite: true,
  posixOnWindows: false,
  shell: { commandInArguments: true, mayGoOn: false, standardInput: 'unknown', takesTyping: true },
};
