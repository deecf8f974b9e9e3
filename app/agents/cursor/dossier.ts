import type { AgentDossier } from '../common/dossier.ts';
import { cursorSignature } from './signature.ts';
import { cursorServers } from './servers.ts';

/** What is known of Cursor. */
export const cursor: AgentDossier = {
  signature: cursorSignature,
  names: {
    short: 'cursor',
    others: ['cursor-agent', 'cursor-cli'],
    mark: 'U',
    containedAs: 'none',
  },
  registry: 'none',
  exitCode: 'none',
  leftFiles: 'none',
  service: 'none',
  servers: cursorServers,
};
