import type { AgentDossier } from '../common/dossier.ts';
import { geminiLeftFiles } from './left-files.ts';
import { geminiSignature } from './signature.ts';
import { geminiServers } from './servers.ts';

/** What is known of Gemini CLI. */
export const gemini: AgentDossier = {
  signature: geminiSignature,
  names: {
    short: 'gemini',
    others: ['gemini-cli', 'google-gemini'],
    // Drawn for Curfew: two pillars.
    glyph: 'M4 2.5v11M12 2.5v11M2.5 4h11M2.5 12h11',
    containedAs: /(?:^|[^a-z])gemini(?:$|[^a-z])/,
  },
  registry: 'none',
  exitCode: 'none',
  leftFiles: geminiLeftFiles,
  service: 'none',
  servers: geminiServers,
};
