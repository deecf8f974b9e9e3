import type { AgentDossier } from '../common/dossier.ts';
import { curfewRunSignature } from './signature.ts';

/** What stands for jobs of `curfew run`: no agent, but jobs are listed under it. */
export const curfewRun: AgentDossier = {
  signature: curfewRunSignature,
  names: {
    short: 'curfew-run',
    others: ['run'],
    mark: '›',
    containedAs: 'none',
  },
  registry: 'none',
  exitCode: 'none',
  leftFiles: 'none',
  service: 'none',
  servers: 'none',
};
