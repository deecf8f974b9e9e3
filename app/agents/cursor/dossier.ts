import type { AgentDossier } from '../common/dossier.ts';
import { cursorSignature } from './signature.ts';
import { cursorServers } from './servers.ts';

/** What is known of Cursor. */
export const cursor: AgentDossier = {
  signature: cursorSignature,
  names: {
    short: 'cursor',
    others: ['cursor-agent', 'cursor-cli'],
    // Drawn for Curfew: a text cursor.
    glyph: 'M5 2.5h6M5 13.5h6M8 2.5v11',
    containedAs: 'none',
  },
  registry: 'none',
  exitCode: 'none',
  leftFiles: 'none',
  service: 'none',
  servers: cursorServers,
};
