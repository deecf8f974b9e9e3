import type { AgentDossier } from '../common/dossier.ts';
import { codexLeftFiles } from './left-files.ts';
import { codexSignature } from './signature.ts';
import { codexService } from './service.ts';
import { codexServers } from './servers.ts';

/** What is known of Codex CLI. */
export const codex: AgentDossier = {
  signature: codexSignature,
  names: {
    short: 'codex',
    others: ['codex-cli', 'openai-codex'],
    // Drawn for Curfew: a hexagon with a prompt.
    glyph: 'M8 1.8 13.4 4.9v6.2L8 14.2 2.6 11.1V4.9ZM5.6 6.2 7.6 8l-2 1.8M8.6 10h2',
    containedAs: /(?:^|[^a-z])codex(?:$|[^a-z])/,
  },
  registry: {
    folderVariable: 'CODEX_HOME',
    folder: '.codex',
    sessionVariables: ['CODEX_SESSION_ID', 'CODEX_THREAD_ID'],
  },
  exitCode: 'none',
  leftFiles: codexLeftFiles,
  service: codexService,
  servers: codexServers,
};
