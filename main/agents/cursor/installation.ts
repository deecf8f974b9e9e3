import type { Addition } from '../hooks/form/json-insertion.ts';
import type { AgentHookInstaller } from '../hooks/form/agent-hooks.ts';

const events = [
  ['sessionStart', 'session-start'],
  ['afterShellExecution', 'tool'],
  ['stop', 'stop'],
  ['sessionEnd', 'session-end'],
] as const;

const version: Addition = { kind: 'property', path: ['version'], value: 1 };

/** Cursor, `hooks.json`, by its documentation (https://cursor.com/docs/agent/hooks); it was not run. Timeouts in seconds. */
export const cursorHooks: AgentHookInstaller = {
  agent: 'cursor',
  folder: ({ home }) => `${home}/.cursor`,
  file: ({ home }) => `${home}/.cursor/hooks.json`,
  content: {
    kind: 'shared',
    additions: (command) => [
      version,
      ...events.map(([name, event]): Addition => ({
        kind: 'element',
        path: ['hooks', name],
        value: { command: command(event), timeout: 5 },
      })),
    ],
    // Not failClosed: what goes wrong in a hook lets the command run.
    guard: (command) => [
      {
        kind: 'element',
        path: ['hooks', 'beforeShellExecution'],
        value: { command: command('pre-tool-use'), timeout: 5 },
      },
    ],
  },
  afterwards: 'Older versions of Cursor do not know sessionStart and sessionEnd and may say so.',
};
