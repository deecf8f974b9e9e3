import { toolArguments, startsInBackground, type GuardForm } from '../common/guard-form.ts';

/**
 * How Copilot CLI asks before a command: `toolName` and `toolArgs`, in some versions as text
 * (https://docs.github.com/en/copilot/reference/hooks-reference). On Windows its `bash` is for a
 * POSIX shell, its PowerShell is a tool of another name. Its tool `write_bash` types into a running
 * command.
 */
export const copilotGuard: GuardForm = {
  shellArguments: toolArguments,
  isBackground: startsInBackground,
  answer: ({ kind, text, changed }) =>
    kind === 'deny'
      ? { permissionDecision: 'deny', permissionDecisionReason: text }
      : { ...(changed === null ? {} : { modifiedArgs: changed }), additionalContext: text },
  canRewrite: true,
  posixOnWindows: true,
  shell: { commandInArguments: true, mayGoOn: false, standardInput: 'unknown', takesTyping: true },
};
