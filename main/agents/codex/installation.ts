import type { AgentHookInstaller, AgentPlaces } from '../hooks/form/agent-hooks.ts';
import { folderFrom, groupedGuard, groupedHooks } from '../hooks/form/agent-hooks.ts';

const folder = (places: AgentPlaces): string => folderFrom(places, 'CODEX_HOME', '.codex');

/** Codex CLI, `hooks.json` in Claude Code's form. It allows a hook at SessionEnd at most 3 s (observed on 0.169). */
export const codexHooks: AgentHookInstaller = {
  agent: 'codex',
  folder,
  file: (places) => `${folder(places)}/hooks.json`,
  content: {
    kind: 'shared',
    additions: (command) =>
      groupedHooks(
        [
          ['SessionStart', 'session-start', 5],
          ['PostToolUse', 'tool', 5],
          ['Stop', 'stop', 5],
          ['SessionEnd', 'session-end', 3],
        ],
        command,
      ),
    guard: (command) => groupedGuard('PreToolUse', 'Bash', 5, command),
  },
  afterwards:
    'Codex runs new hooks only after you have trusted them once: start `codex` and approve them when it asks.',
};
