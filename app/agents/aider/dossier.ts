import type { AgentDossier } from '../common/dossier.ts';
import { aiderSignature } from './signature.ts';

/** What is known of aider. */
export const aider: AgentDossier = {
  signature: aiderSignature,
  names: {
    short: 'aider',
    others: ['aider-chat'],
    mark: 'A',
    containedAs: 'none',
  },
  registry: 'none',
  exitCode: 'none',
  leftFiles: 'none',
  service: 'none',
  servers: 'none',
};
