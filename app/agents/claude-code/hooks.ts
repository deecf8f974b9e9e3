import { additionalContext, silence, type HookForm } from '../common/hook-form.ts';

/**
 * Hooks of Claude Code. Timeouts in seconds. At SessionEnd it waits for hooks at least 1.5 s and at
 * most their longest timeout (2.1.329, read in its bundle); Curfew's take milliseconds.
 */
export const claudeCodeHooks: HookForm = {
  events: [
    ['SessionStart', 'session-start', 5],
    ['PostToolUse', 'tool', 5],
    ['Stop', 'stop', 5],
    ['SessionEnd', 'session-end', 5],
  ],
  beforeCommand: { name: 'PreToolUse', matcher: { tool: 'Bash' }, timeout: 5 },
  witness: 'line',
  neutralAnswer: silence,
  sessionAnswer: additionalContext,
};
