import type { AgentHookInstaller, AgentPlaces } from '../hooks/form/agent-hooks.ts';
import { folderFrom, groupedGuard, groupedHooks, settingAt } from '../hooks/form/agent-hooks.ts';

const folder = (places: AgentPlaces): string => folderFrom(places, 'CLAUDE_CONFIG_DIR', '.claude');

/**
 * Claude Code, `settings.json`. Timeouts in seconds. At SessionEnd it waits for hooks at least 1.5 s and at most their longest timeout
 * (2.1.329, read in its bundle); ours takes milliseconds.
 */
export const claudeCodeHooks: AgentHookInstaller = {
  agent: 'claude-code',
  folder,
  file: (places) => `${folder(places)}/settings.json`,
  content: {
    kind: 'shared',
    additions: (command) =>
      groupedHooks(
        [
          ['SessionStart', 'session-start', 5],
          ['PostToolUse', 'tool', 5],
          ['Stop', 'stop', 5],
          ['SessionEnd', 'session-end', 5],
        ],
        command,
      ),
    guard: (command) => groupedGuard('PreToolUse', 'Bash', 5, command),
  },
  afterwards: null,
  switchedOff: (settings) =>
    settingAt(settings, 'disableAllHooks') === true
      ? 'disableAllHooks is true in this file, so Claude Code runs no hooks at all'
      : null,
};
