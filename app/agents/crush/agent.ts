import { plainAgent } from '../common/plain-agent.ts';

/**
 * Crush 0.96.1: its shell (https://github.com/charmbracelet/crush, internal/shell) and its hooks
 * carry CRUSH=1, AGENT=crush and AI_AGENT=crush. Not run here.
 */
export const crush = plainAgent({
  id: 'crush',
  name: 'Crush',
  names: {
    short: 'crush',
    command: 'crush',
    others: ['charm-crush'],
    // Drawn for Curfew: a heart.
    glyph: 'M8 13.5 3 8.3a3 3 0 0 1 5-3.6 3 3 0 0 1 5 3.6Z',
    containedAs: /(?:^|[^a-z])crush(?:$|[^a-z])/,
    resume: 'none',
  },
  program: { names: ['crush'], paths: [] },
  bare: [{ name: 'CRUSH', value: '1' }],
});
