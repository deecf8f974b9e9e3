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
    // Drawn for Curfew: a robot with an antenna.
    glyph: 'M2.5 8.5a3 3 0 0 1 3-3h5a3 3 0 0 1 3 3v1.2a3 3 0 0 1-3 3h-5a3 3 0 0 1-3-3ZM6 8.4v1.6M10 8.4v1.6M8 5.5V3',
    containedAs: /(?:^|[^a-z])copilot(?:$|[^a-z])/,
  },
  registry: { folderVariable: 'COPILOT_HOME', folder: '.copilot', sessionVariables: ['COPILOT_AGENT_SESSION_ID'] },
  exitCode: 'none',
  leftFiles: copilotLeftFiles,
  service: 'none',
  servers: copilotServers,
};
