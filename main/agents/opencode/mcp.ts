import { existsSync } from 'node:fs';
import type { McpForm } from '../entries/form/entry.ts';
import type { AgentPlaces } from '../hooks/form/agent-hooks.ts';
import { opencodeInstaller } from './installation.ts';

/** The file with comments is read where it is there (https://opencode.ai/docs/config). */
const file = (places: AgentPlaces): string => {
  const plain = `${opencodeInstaller.folder(places)}/opencode.json`;
  return existsSync(`${plain}c`) && !existsSync(plain) ? `${plain}c` : plain;
};

/** How a server gets into opencode's `opencode.json` (1.18.33, observed). */
export const opencodeMcp: McpForm = {
  agent: 'opencode',
  folder: opencodeInstaller.folder,
  file,
  format: 'json',
  path: ['mcp'],
  value: ({ command, environment }) => ({
    type: 'local',
    command: [...command],
    enabled: true,
    ...(Object.keys(environment).length === 0 ? {} : { environment }),
  }),
  afterwards: null,
};
