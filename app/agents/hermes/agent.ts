import { plainAgent } from '../common/plain-agent.ts';

/**
 * Hermes Agent: HERMES_SESSION_ID is in what its runs start (observed); whether its servers carry
 * it too was not seen, so it is a name and no more.
 */
export const hermes = plainAgent({
  id: 'hermes',
  name: 'Hermes',
  names: {
    short: 'hermes',
    others: ['hermes-agent'],
    // Drawn for Curfew: a wing.
    glyph: 'M2.5 12.5Q8 12 13.5 3.5M4.5 9.5Q8 8.5 10.5 4.5M9 10.5h3.5',
    containedAs: /(?:^|[^a-z])hermes-(?:agent|acp)(?:$|[^a-z])/,
    resume: 'none',
  },
  program: { names: ['hermes'], paths: [] },
  bare: ['HERMES_SESSION_ID'],
});
