import type { McpForm } from '../entries/form/entry.ts';
import { plainServer } from '../entries/form/entry.ts';

/**
 * How a server gets into Cursor's `mcp.json`, by its documentation
 * (https://cursor.com/docs/context/mcp).
 */
export const cursorMcp: McpForm = {
  agent: 'cursor',
  folder: ({ home }) => `${home}/.cursor`,
  file: ({ home }) => `${home}/.cursor/mcp.json`,
  format: 'json',
  path: ['mcpServers'],
  value: plainServer,
  afterwards: null,
};
