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
    mark: 'X',
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
