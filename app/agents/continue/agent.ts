import { plainAgent } from '../common/plain-agent.ts';

/**
 * Continue 1.5.47 (`node …/bin/cn`, a link into its package; observed). It marks nothing. A command
 * is `SHELL -l -c CMD`, a child in Continue's own process group, whose input and output it holds as
 * it does a server's. So a command is told by its parent and these flags.
 */
export const continueCli = plainAgent({
  id: 'continue',
  name: 'Continue',
  names: {
    short: 'continue',
    command: 'cn',
    others: ['continue-cli', 'cn'],
    // Drawn for Curfew: two strokes that go on.
    glyph: 'M3.5 4 7.5 8l-4 4M8.5 4l4 4-4 4',
    containedAs: 'none',
    resume: 'none',
  },
  program: { names: [], paths: ['/@continuedev/cli/'] },
  toolShells: 'child',
  callFlags: ['-l', '-c'],
});
