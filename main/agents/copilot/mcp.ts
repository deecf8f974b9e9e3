import type { McpForm } from '../entries/form/entry.ts';
import { plainServer } from '../entries/form/entry.ts';
import { folderFrom } from '../hooks/form/agent-hooks.ts';

/** How a server gets into Copilot CLI's `mcp-config.json` (1.0.102, observed). */
export const copilotMcp: McpForm = {
  agent: 'copilot',
  folder: (places) => folderFrom(places, 'COPILOT_HOME', '.copilot'),
  file: (places) => `${folderFrom(places, 'COPILOT_HOME', '.copilot')}/mcp-config.json`,
  format: 'json',
  path: ['mcpServers'],
  value: (command) => ({ type: 'local', ...plainServer(command), tools: ['*'] }),
  afterwards: null,
};
