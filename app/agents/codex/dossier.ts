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
    // Drawn for Curfew: two crossing strokes, one broken.
    glyph: 'M3.5 3.5 12.5 12.5M12.5 3.5 9.6 6.4M6.4 9.6 3.5 12.5',
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
