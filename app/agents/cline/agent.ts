import { plainAgent } from '../common/plain-agent.ts';

/**
 * Cline 3.0.65. The editor's extension sets CLINE_ACTIVE in its terminals; the command line has
 * CLINE_CONNECTOR_CLI_LAUNCH in its own environment, so that its servers carry it as well as its
 * commands (observed). Its daemon (`cline --cline-hub-daemon`) goes on when it ends.
 */
export const cline = plainAgent({
  id: 'cline',
  name: 'Cline',
  names: {
    short: 'cline',
    command: 'cline',
    others: ['cline-cli'],
    // Drawn for Curfew: an open ring.
    glyph: 'M12.5 4.5a5.5 5.5 0 1 0 0 7',
    containedAs: /(?:^|[^a-z])cline(?:$|[^a-z])/,
    resume: ['cline', '--id'],
  },
  program: { names: ['cline'], paths: [] },
  bare: ['CLINE_ACTIVE'],
  everywhere: ['CLINE_CONNECTOR_CLI_LAUNCH'],
});
