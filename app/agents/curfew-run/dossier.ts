import type { AgentDossier } from '../common/dossier.ts';
import { curfewRunSignature } from './signature.ts';

/** What stands for jobs of `curfew run`: no agent, but jobs are listed under it. */
export const curfewRun: AgentDossier = {
  signature: curfewRunSignature,
  names: {
    short: 'curfew-run',
    others: ['run'],
    // Drawn for Curfew: a prompt.
    glyph: 'M4 3.5 8.5 8 4 12.5M9.5 12.5H13',
    containedAs: 'none',
  },
  registry: 'none',
  exitCode: 'none',
  leftFiles: 'none',
  service: 'none',
  servers: 'none',
};
