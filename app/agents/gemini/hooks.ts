import { additionalContext, type HookForm } from '../common/hook-form.ts';

/**
 * Hooks of Gemini CLI. Timeouts in milliseconds; it takes only JSON for an answer
 * (https://geminicli.com/docs/hooks/reference, observed on 0.61).
 */
export const geminiHooks: HookForm = {
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
