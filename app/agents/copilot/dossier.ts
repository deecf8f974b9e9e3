import type { AgentDossier } from '../common/dossier.ts';
import { copilotLeftFiles } from './left-files.ts';
import { copilotSignature } from './signature.ts';
import { copilotServers } from './servers.ts';

/** What is known of GitHub Copilot CLI. */
export const copilot: AgentDossier = {
  signature: copilotSignature,
  names: {
    short: 'copilot',
    others: ['github-copilot', 'copilot-cli'],
    mark: 'P',
    containedAs: /(?:^|[^a-z])copilot(?:$|[^a-z])/,
  },
  registry: { folderVariable: 'COPILOT_HOME', folder: '.copilot', sessionVariables: ['COPILOT_AGENT_SESSION_ID'] },
  exitCode: 'none',
  leftFiles: copilotLeftFiles,
  service: 'none',
  servers: copilotServers,
};
