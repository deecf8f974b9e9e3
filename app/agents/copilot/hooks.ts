import { silence, type HookForm } from '../common/hook-form.ts';

/**
 * Hooks of Copilot CLI: the events that 1.0.102 was seen to fire. It has none at the end of a reply
 * that could be relied on. Timeouts in seconds. The session answer is by its documentation
 * (https://docs.github.com/en/copilot/reference/hooks-reference).
 */
export const copilotHooks: HookForm = {
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
