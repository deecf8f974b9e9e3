import { say } from '../../../app/text/said/say.ts';
import type { Addition } from '../hooks/form/json-insertion.ts';
import { cursorHooks as form } from '../../../app/agents/cursor/hooks.ts';
import type { AgentHookInstaller } from '../hooks/form/agent-hooks.ts';

const version: Addition = { kind: 'property', path: ['version'], value: 1 };

/**
 * How hooks get into Cursor's `hooks.json`, by its documentation
 * (https://cursor.com/docs/agent/hooks).
 */
export const cursorInstaller: AgentHookInstaller = {
  agent: 'cursor',
  folder: ({ home }) => `${home}/.cursor`,
  file: ({ home }) => `${home}/.cursor/hooks.json`,
  content: {
    kind: 'shared',
    additions: (command) => [
      version,
      ...form.events.map(([name, event, timeout]): Addition => ({
        kind: 'element',
        path: ['hooks', name],
        value: { command: command(event), timeout },
      })),
    ],
    // Not failClosed: what goes wrong in a hook lets the command run.
    guard: (command) => [
      {
        kind: 'element',
        path: ['hooks', form.beforeCommand.name],
        value: { command: command('pre-tool-use'), timeout: form.beforeCommand.timeout },
      },
    ],
  },
  afterwards: say('Older versions of Cursor do not know sessionStart and sessionEnd and may say so.'),
};
