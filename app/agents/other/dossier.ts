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
    mark: '?',
    containedAs: 'none',
  },
  registry: 'none',
  exitCode: 'none',
  leftFiles: 'none',
  service: 'none',
  servers: otherServers,
};
