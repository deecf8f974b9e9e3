import type { AgentDossier } from '../common/dossier.ts';
import { aiderSignature } from './signature.ts';

/** What is known of aider. */
export const aider: AgentDossier = {
  signature: aiderSignature,
  names: {
    short: 'aider',
    others: ['aider-chat'],
    // Drawn for Curfew: an A of three strokes.
    glyph: 'M3 13 8 3l5 10M5 9.5h6',
    containedAs: 'none',
  },
  registry: 'none',
  exitCode: 'none',
  leftFiles: 'none',
  service: 'none',
  servers: 'none',
};
