import { say } from '../../../app/text/say.ts';
import type { Addition } from '../hooks/form/json-insertion.ts';
import {
  type AgentHookInstaller,
  type AgentPlaces,
  folderFrom,
  groupedGuard,
  groupedHooks,
  settingAt,
} from '../hooks/form/agent-hooks.ts';
import { geminiHooks as form } from '../../../app/agents/gemini/answers.ts';
import { type McpForm, plainServer } from '../entries/form/entry.ts';

// GEMINI_CLI_HOME stands for the home folder, not for the folder in it.
const folder = (places: AgentPlaces): string => `${folderFrom(places, 'GEMINI_CLI_HOME', '')}/.gemini`;

const enabled: Addition = { kind: 'property', path: ['hooksConfig', 'enabled'], value: true };

/**
 * How hooks get into Gemini CLI's `settings.json`, where hooks must be enabled
 * (https://geminicli.com/docs/hooks/reference, observed on 0.61).
 */
export const geminiInstaller: AgentHookInstaller = {
  agent: 'gemini',
  folder,
  file: (places) => `${folder(places)}/settings.json`,
  content: {
    kind: 'shared',
    additions: (run) => [enabled, ...groupedHooks(form.events, run)],
    guard: (run) => groupedGuard(form.beforeCommand, run),
  },
  onWindows: 'powershell',
  afterwards: null,
  switchedOff: (settings) =>
    settingAt(settings, 'hooksConfig', 'enabled') === false
      ? say(
          'hooksConfig.enabled is false in this file, so Gemini CLI runs no hooks; Curfew leaves your choice as it is.',
        )
      : null,
};

/** How a server gets into Gemini CLI's `settings.json`, beside its hooks (0.61, observed). */
export const geminiMcp: McpForm = {
  agent: 'gemini',
  folder: geminiInstaller.folder,
  file: geminiInstaller.file,
  format: 'json',
  path: ['mcpServers'],
  value: plainServer,
  afterwards: null,
};
