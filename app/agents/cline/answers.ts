import { type HookForm, silence } from '../common/hook-form.ts';

/**
 * Hooks of Cline: files that are named by the event (https://docs.cline.bot/customization/hooks,
 * observed on 3.0). It waits for those after a tool, 120 s at most, and for no other. A start takes
 * no answer.
 */
export const clineHooks: HookForm = {
  events: [
    ['TaskStart', 'session-start', 120],
    ['PostToolUse', 'tool', 120],
    ['TaskComplete', 'stop', 120],
    ['SessionShutdown', 'session-end', 120],
  ],
  beforeCommand: 'none',
  witness: 'children',
  neutralAnswer: silence,
  sessionAnswer: 'none',
};
