import type { AgentDossier } from '../common/dossier.ts';
import { codexSignature } from './signature.ts';
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
  servers: codexServers,
};
