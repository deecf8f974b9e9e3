import { type AgentDossier, noRecords } from '../common/dossier.ts';
import { type AgentSignature, noParts } from '../common/signature.ts';

/**
 * `curfew run`. Nothing in a process tells that it belongs to a run: what a run is and who belongs
 * to it stands in the run's own record, because its cookie is inherited by agents inside it, whose
 * commands are theirs. So this signature recognises nothing and gives only the name.
 */
const curfewRunSignature: AgentSignature = {
  ...noParts,
  id: 'curfew-run',
  name: 'curfew run',
  environmentNames: [],
  // Its own veto (`curfew`) protects the process itself. It is no agent: what hangs below it is
  // still whose it was.
  program: () => false,
  marker: () => null,
};

/** What stands for jobs of `curfew run`: no agent, but jobs are listed under it. */
export const curfewRun: AgentDossier = {
  signature: curfewRunSignature,
  names: {
    short: 'curfew-run',
    others: ['run'],
    // Drawn for Curfew: a prompt.
    glyph: 'M4 3.5 8.5 8 4 12.5M9.5 12.5H13',
    containedAs: 'none',
    resume: 'none',
  },
  ...noRecords,
  servers: 'none',
};
