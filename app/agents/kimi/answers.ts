import { type HookForm, silence } from '../common/hook-form.ts';

/**
 * Hooks of Kimi Code: tables `[[hooks]]`, timeouts in seconds
 * (https://moonshotai.github.io/kimi-code/en/customization/hooks, observed on 2.1). One unknown
 * event or field makes it refuse its whole file. It does not wait for those after a tool, and a
 * start takes no answer.
 */
export const kimiHooks: HookForm = {
  events: [
    ['SessionStart', 'session-start', 5],
    ['PostToolUse', 'tool', 5],
    ['PostToolUseFailure', 'tool', 5],
    ['Stop', 'stop', 5],
    ['SessionEnd', 'session-end', 5],
  ],
  beforeCommand: 'none',
  witness: 'children',
  neutralAnswer: silence,
  sessionAnswer: 'none',
};
