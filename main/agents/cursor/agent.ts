import { say } from '../../../app/text/say.ts';
import type { Addition } from '../hooks/form/json-insertion.ts';
import { cursorHooks as form } from '../../../app/agents/cursor/answers.ts';
import { runFields, type AgentHookInstaller } from '../hooks/form/agent-hooks.ts';
import { type McpForm, plainServer } from '../entries/form/entry.ts';

/** How a server gets into Cursor's `mcp.json` (https://cursor.com/docs/context/mcp). */
export const cursorMcp: McpForm = {
  agent: 'cursor',
  folder: ({ home }) => `${home}/.cursor`,
  file: ({ home }) => `${home}/.cursor/mcp.json`,
  format: 'json',
  path: ['mcpServers'],
  value: plainServer,
  afterwards: null,
};

const version: Addition = { kind: 'property', path: ['version'], value: 1 };

/** How hooks get into Cursor's `hooks.json` (https://cursor.com/docs/agent/hooks). */
export const cursorInstaller: AgentHookInstaller = {
  agent: 'cursor',
  folder: ({ home }) => `${home}/.cursor`,
  file: ({ home }) => `${home}/.cursor/hooks.json`,
  content: {
    kind: 'shared',
    additions: (run) => [
      version,
      ...form.events.map(([name, event, timeout]): Addition => ({
        kind: 'element',
        path: ['hooks', name],
        value: { ...runFields(run(event)), timeout },
      })),
    ],
    // Not failClosed: what goes wrong in a hook lets the command run.
    guard: (run) => [
      {
        kind: 'element',
        path: ['hooks', form.beforeCommand.name],
        value: { ...runFields(run('pre-tool-use')), timeout: form.beforeCommand.timeout },
      },
    ],
  },
  // Reports agree that it is PowerShell (entireio/cli#2352, speakeasy-api/gram#3736,
  // Arize-ai/coding-harness-tracing#58).
  onWindows: 'powershell',
  afterwards: say('Older versions of Cursor do not know sessionStart and sessionEnd and may say so.'),
};
