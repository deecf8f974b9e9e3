import { type GuardForm, usualGuard } from '../common/guard-form.ts';
import { type AskingHookForm, additionalContext } from '../common/hook-form.ts';

/**
 * How Gemini CLI asks before a command. Only AfterTool can tell the model something without
 * refusing; `systemMessage` is shown to the user, who can type into a running command.
 */
export const geminiGuard: GuardForm = {
  ...usualGuard,
  answer: ({ kind, text, changed }) =>
    kind === 'deny'
      ? { decision: 'deny', reason: text }
      : {
          ...(changed === null ? {} : { hookSpecificOutput: { tool_input: { command: changed.command } } }),
          systemMessage: text,
        },
};

/**
 * Hooks of Gemini CLI. Timeouts in milliseconds; it takes only JSON for an answer
 * (https://geminicli.com/docs/hooks/reference, observed on 0.61).
 */
export const geminiHooks: AskingHookForm = {
  events: [
    ['SessionStart', 'session-start', 5000],
    ['AfterTool', 'tool', 5000],
    ['AfterAgent', 'stop', 5000],
    ['SessionEnd', 'session-end', 5000],
  ],
  beforeCommand: { name: 'BeforeTool', matcher: { tool: 'run_shell_command' }, timeout: 5000 },
  witness: 'children',
  neutralAnswer: () => '{}',
  sessionAnswer: additionalContext,
};
