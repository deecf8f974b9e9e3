import type { McpForm } from '../entries/form/entry.ts';
import { plainServer } from '../entries/form/entry.ts';
import { folderFrom } from '../hooks/form/agent-hooks.ts';

/** How a server gets into Codex CLI's `config.toml` (0.169, observed). */
export const codexMcp: McpForm = {
  agent: 'codex',
  folder: (places) => folderFrom(places, 'CODEX_HOME', '.codex'),
  file: (places) => `${folderFrom(places, 'CODEX_HOME', '.codex')}/config.toml`,
  format: 'toml',
  path: ['mcp_servers'],
  value: plainServer,
  afterwards:
    'The terminal of Codex runs the servers of all its sessions in one process, so whose server it is can’t be proved there, and its tools say so.',
};
