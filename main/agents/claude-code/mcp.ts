import type { McpForm } from '../entries/form/entry.ts';
import { plainServer } from '../entries/form/entry.ts';
import { folderFrom } from '../hooks/form/agent-hooks.ts';

/**
 * How a server gets into Claude Code's own file of a user, from which it starts servers (2.1.329,
 * observed): beside the folder of settings, or in the folder that is named for it (not observed).
 */
export const claudeCodeMcp: McpForm = {
  agent: 'claude-code',
  folder: (places) => folderFrom(places, 'CLAUDE_CONFIG_DIR', '.claude'),
  file: (places) => `${folderFrom(places, 'CLAUDE_CONFIG_DIR', '')}/.claude.json`,
  format: 'json',
  path: ['mcpServers'],
  value: (command) => ({ type: 'stdio', ...plainServer(command) }),
  afterwards: null,
};
