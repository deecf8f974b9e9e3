import { toolArguments, startsInBackground, type GuardForm } from '../common/guard-form.ts';

/**
 * How Gemini CLI asks before a command. Only AfterTool can tell the model something without
 * refusing; `systemMessage` is shown to the user, who can type into a running command.
 */
export const geminiGuard: GuardForm = {
  shellArguments: toolArguments,
  isBackground: startsInBackground,
  answer: ({ kind, text, changed }) =>
    kind === 'deny'
      ? { decision: 'deny', reason: text }
      : {
          ...(changed === null ? {} : { hookSpecificOutput: { tool_input: { command: changed.command } } }),
          systemMessage: text,
        },
  canRewrite: true,
  posixOnWindows: false,
  shell: { commandInArguments: true, mayGoOn: false, standardInput: 'unknown', takesTyping: true },
};
