import { type AgentDossier, noRecords } from '../common/dossier.ts';
import { isProgram } from '../common/program-name.ts';
import { type AgentSignature, noParts } from '../common/signature.ts';

/**
 * aider marks nothing: on a terminal it runs `$SHELL -i -c <command>` through a pty of its own,
 * else `/bin/sh -c <command>` in its own process group (https://github.com/Aider-AI/aider,
 * aider/run_cmd.py). Only parentage tells, so only while it lives.
 */
const aiderSignature: AgentSignature = {
  ...noParts,
  id: 'aider',
  name: 'aider',
  environmentNames: [],
  program: (row) =>
    isProgram({ names: ['aider'], paths: ['/aider/__main__.py'], modules: ['aider', 'aider.main'] }, row),
  marker: () => null,
  toolShells: 'child',
};

export const aider: AgentDossier = {
  signature: aiderSignature,
  names: {
    short: 'aider',
    command: 'aider',
    others: ['aider-chat'],
    // Drawn for Curfew: an A of three strokes.
    glyph: 'M3 13 8 3l5 10M5 9.5h6',
    containedAs: 'none',
    resume: 'none',
  },
  ...noRecords,
  servers: 'none',
};
