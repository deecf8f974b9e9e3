import { additionalContext, silence, type HookForm } from '../common/hook-form.ts';

/**
 * Hooks of Qwen Code, in Claude Code's form (its own documentation in 0.24.4,
 * bundled/qc-helper/docs/features/hooks.md; observed). Timeouts in seconds: from 1000 on it takes
 * them for milliseconds.
 */
export const qwenHooks: HookForm = {
  events: [
    ['SessionStart', 'session-start', 5],
    ['PostToolUse', 'tool', 5],
    ['Stop', 'stop', 5],
    ['SessionEnd', 'session-end', 5],
  ],
  beforeCommand: { name: 'PreToolUse', matcher: { tool: 'run_shell_command' }, timeout: 5 },
  witness: 'children',
  neutralAnswer: silence,
  sessionAnswer: additionalContext,
};
