import { kimiHooks as form } from '../../../app/agents/kimi/answers.ts';
import { type AgentHookInstaller, type AgentPlaces, folderFrom } from '../hooks/form/agent-hooks.ts';

const folder = (places: AgentPlaces): string => folderFrom(places, 'KIMI_CODE_HOME', '.kimi-code');

/** How hooks get into Kimi Code's `config.toml`. */
export const kimiInstaller: AgentHookInstaller = {
  agent: 'kimi',
  folder,
  file: (places) => `${folder(places)}/config.toml`,
  content: {
    kind: 'tables',
    tables: (run) => form.events.map(([event, tells, timeout]) => ({ event, command: run(tells).command, timeout })),
  },
  onWindows: 'any-shell',
  afterwards: null,
};
