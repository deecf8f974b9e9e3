import { plainAgent } from '../common/plain-agent.ts';

/**
 * pi 1.5.2 (`@earendil-works/pi-coding-agent`, title `pi`; observed). A command is `/bin/bash -c
 * CMD` with setsid and PI_SESSION_ID. An MCP server gets a kernel session of its own and only
 * PI_CODING_AGENT and AI_AGENT=pi, and so does a command where its settings hide the session, and
 * of versions before 0.87.
 */
export const pi = plainAgent({
  id: 'pi',
  name: 'pi',
  names: {
    short: 'pi',
    command: 'pi',
    others: ['pi-coding-agent'],
    // Drawn for Curfew: the letter.
    glyph: 'M3 4.5h10M5.5 4.5v8M10.5 4.5v6.5q0 1.5 1.5 1.5',
    // Its name is too short to be looked for: the packages that it is made of are.
    containedAs: /(?:^|[^a-z])(?:pi-(?:coding-agent|agent-core|agent|acp|mono)|earendil-works)(?:$|[^a-z])/,
    resume: ['pi', '--session'],
  },
  program: { names: ['pi'], paths: ['/pi-coding-agent/'] },
  commands: ['PI_SESSION_ID'],
  everywhere: ['PI_CODING_AGENT'],
  session: 'PI_SESSION_ID',
  ownSessions: true,
  toolShells: 'child-session',
});
