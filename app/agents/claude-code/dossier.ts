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
    mark: 'C',
    containedAs: /(?:^|[^a-z])claude(?:$|[^a-z])/,
  },
  registry: { folderVariable: 'CLAUDE_CONFIG_DIR', folder: '.claude', sessionVariables: [] },
  exitCode: 'none',
  leftFiles: claudeLeftFiles,
  service: claudeCodeService,
  servers: claudeServers,
};
