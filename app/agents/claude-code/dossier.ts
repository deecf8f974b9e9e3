import type { AgentDossier } from '../common/dossier.ts';
import { claudeLeftFiles } from './left-files.ts';
import { claudeCodeSignature } from './signature.ts';
import { claudeCodeService } from './service.ts';
import { claudeServers } from './servers.ts';

/** What is known of Claude Code. */
export const claudeCode: AgentDossier = {
  signature: claudeCodeSignature,
  names: {
    short: 'claude',
    others: [],
    // Drawn for Curfew: a round C with a line.
    glyph: 'M12.2 4.4A5.5 5.5 0 1 0 12.2 11.6M7.5 8H13',
    containedAs: /(?:^|[^a-z])claude(?:$|[^a-z])/,
  },
  registry: { folderVariable: 'CLAUDE_CONFIG_DIR', folder: '.claude', sessionVariables: [] },
  exitCode: 'none',
  leftFiles: claudeLeftFiles,
  service: claudeCodeService,
  servers: claudeServers,
};
