import type { Addition } from '../hooks/form/json-insertion.ts';
import type { AgentHookInstaller, AgentPlaces } from '../hooks/form/agent-hooks.ts';
import { folderFrom, groupedGuard, groupedHooks, settingAt } from '../hooks/form/agent-hooks.ts';

// GEMINI_CLI_HOME stands for the home folder, not for the folder in it.
const folder = (places: AgentPlaces): string =>
  `${folderFrom(places, 'GEMINI_CLI_HOME', '')}/.gemini`.replace('//', '/');

const enabled: Addition = { kind: 'property', path: ['hooksConfig', 'enabled'], value: true };

/**
 * Gemini CLI, `settings.json`. Timeouts in milliseconds; every hook answers in JSON, and hooks must be enabled
 * (https://geminicli.com/docs/hooks/reference, observed on 0.61).
 */
export const geminiHooks: AgentHookInstaller = {
  agent: 'gemini',
  folder,
  file: (places) => `${folder(places)}/settings.json`,
  content: {
    kind: 'shared',
    additions: (command) => [
      enabled,
      ...groupedHooks(
        [
          ['SessionStart', 'session-start', 5000],
          ['AfterTool', 'tool', 5000],
          ['AfterAgent', 'stop', 5000],
          ['SessionEnd', 'session-end', 5000],
        ],
        command,
      ),
    ],
    guard: (command) => groupedGuard('BeforeTool', 'run_shell_command', 5000, command),
  },
  afterwards: null,
  switchedOff: (settings) =>
    settingAt(settings, 'hooksConfig', 'enabled') === false
      ? 'hooksConfig.enabled is false in this file, so Gemini CLI runs no hooks; Curfew leaves your choice as it is'
      : null,
};
