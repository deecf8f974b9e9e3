import { type Helper, runsScript } from '../common/helper.ts';

/**
 * Read in its source: the Codex plugin for Claude Code starts `node …/app-server-broker.mjs serve`,
 * detached, which keeps a `codex app-server` below itself.
 */
export const codexPlugin: Helper = {
  name: 'Codex plugin broker',
  is: (row) => runsScript(row, 'app-server-broker.mjs') && row.argv.includes('serve'),
};
