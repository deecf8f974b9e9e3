import type { AgentDossier } from '../common/dossier.ts';
import { opencodeLeftFiles } from './left-files.ts';
import { opencodeSignature } from './signature.ts';
import { opencodeService } from './service.ts';
import { opencodeServers } from './servers.ts';

/** What is known of opencode. */
export const opencode: AgentDossier = {
  signature: opencodeSignature,
  names: {
    short: 'opencode',
    others: ['open-code'],
    // Drawn for Curfew: open brackets.
    glyph: 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5',
    containedAs: /(?:^|[^a-z])opencode(?:$|[^a-z])/,
  },
  registry: 'none',
  exitCode: 'none',
  leftFiles: opencodeLeftFiles,
  service: opencodeService,
  servers: opencodeServers,
};
