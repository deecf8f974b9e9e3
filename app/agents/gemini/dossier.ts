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
    mark: 'G',
    containedAs: /(?:^|[^a-z])gemini(?:$|[^a-z])/,
  },
  registry: 'none',
  exitCode: 'none',
  leftFiles: geminiLeftFiles,
  service: 'none',
  servers: geminiServers,
};
