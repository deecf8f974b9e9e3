import { additionalContext, silence, type HookForm } from '../common/hook-form.ts';

/**
 * Hooks of Codex CLI, in Claude Code's form. Timeouts in seconds; it allows a hook at SessionEnd at
 * most 3 s (observed on 0.169).
 */
export const codexHooks: HookForm = {
  events: [
    ['SessionStart', 'session-start', 5],
    ['PostToolUse', 'tool', 5],
    ['Stop', 'stop', 5],
    ['SessionEnd', 'session-end', 3],
  ],
  beforeCommand: { name: 'PreToolUse', matcher: { tool: 'Bash' }, timeout: 5 },
  witness: 'children',
  neutralAnswer: silence,
  sessionAnswer: additionalContext,
};
