import { plainAgent } from '../common/plain-agent.ts';

/**
 * Kimi Code 2.1.0 (`@moonshot-ai/kimi-code`, title `kimi-code`, observed; `kimi` before). It marks
 * nothing. A command is `/bin/bash -c "cd 'FOLDER' && CMD"` in a kernel session of its own, its
 * input closed by its agent; each MCP server has a session of its own, too, and its input open.
 */
export const kimi = plainAgent({
  id: 'kimi',
  name: 'Kimi Code',
  names: {
    short: 'kimi',
    command: 'kimi',
    others: ['kimi-code', 'kimi-cli'],
    // Drawn for Curfew: a moon.
    glyph: 'M12.5 9.8A5.3 5.3 0 1 1 6.7 3a4.3 4.3 0 0 0 5.8 6.8Z',
    containedAs: /(?:^|[^a-z])kimi-(?:code|acp|cli)(?:$|[^a-z])/,
    resume: ['kimi', '--session'],
  },
  ownSessions: true,
  toolShells: 'child-session',
  callScript: /^cd '[^']+(?:'\\''[^']*)*' && /,
  program: { names: ['kimi', 'kimi-code'], paths: ['/@moonshot-ai/kimi-code/'] },
});
