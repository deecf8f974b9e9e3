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
    // Drawn for Curfew: a spark of eight rays.
    glyph: 'M8 2v3.2M8 10.8V14M2 8h3.2M10.8 8H14M3.8 3.8 6 6M10 10l2.2 2.2M12.2 3.8 10 6M6 10l-2.2 2.2',
    containedAs: /(?:^|[^a-z])claude(?:$|[^a-z])/,
  },
  registry: { folderVariable: 'CLAUDE_CONFIG_DIR', folder: '.claude', sessionVariables: [] },
  exitCode: 'none',
  leftFiles: claudeLeftFiles,
  service: claudeCodeService,
  servers: claudeServers,
};
