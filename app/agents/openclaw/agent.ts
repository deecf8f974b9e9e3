import { plainAgent } from '../common/plain-agent.ts';

/**
 * OpenClaw 2026.9.6: OPENCLAW_SHELL=exec marks what the model runs, `tui-local` what the user runs
 * with `!` (observed; https://docs.openclaw.ai/tools/exec). Its servers carry neither.
 */
export const openclaw = plainAgent({
  id: 'openclaw',
  name: 'OpenClaw',
  names: {
    short: 'openclaw',
    others: ['open-claw'],
    // Drawn for Curfew: three scratches.
    glyph: 'M4.5 3 3 13M8.7 3 7.2 13M13 3l-1.5 10',
    containedAs: /(?:^|[^a-z])openclaw(?:$|[^a-z])/,
    resume: 'none',
  },
  program: { names: ['openclaw'], paths: ['/node_modules/openclaw/'] },
  commands: [{ name: 'OPENCLAW_SHELL', value: 'exec' }],
});
