import { preToolUse, startsInBackground, toolArguments, type GuardForm } from '../common/guard-form.ts';

/**
 * How Qwen Code asks before a command: in Claude Code's form, by its documentation. It would take a
 * change only together with `allow`, which skips the user's approval, so none is made.
 */
export const qwenGuard: GuardForm = {
  shellArguments: toolArguments,
  isBackground: startsInBackground,
  answer: ({ kind, text }) =>
    preToolUse(
      kind === 'deny' ? { permissionDecision: 'deny', permissionDecisionReason: text } : { additionalContext: text },
    ),
  canRewrite: false,
  posixOnWindows: false,
  shell: { commandInArguments: true, mayGoOn: false, standardInput: 'unknown', takesTyping: true },
};
