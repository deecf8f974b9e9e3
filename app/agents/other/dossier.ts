import type { AgentDossier } from '../common/dossier.ts';
import { otherAgentNames } from './names.ts';
import { otherSignature } from './signature.ts';
import { otherServers } from './servers.ts';

/**
 * What is known of the lesser known agents together, and what stands for agents of the user's own
 * rules.
 */
export const other: AgentDossier = {
  signature: otherSignature,
  names: {
    short: 'other',
    others: Object.entries(otherAgentNames).flatMap(([key, name]) => [key, name]),
    // Drawn for Curfew: a question.
    glyph: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM6.2 6.4A1.9 1.9 0 1 1 8 8.8M8 11.2v.1',
    containedAs: 'none',
  },
  registry: 'none',
  exitCode: 'none',
  leftFiles: 'none',
  service: 'none',
  servers: otherServers,
};
