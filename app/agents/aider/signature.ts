import { isProgram } from '../common/program-name.ts';
import type { AgentSignature } from '../common/signature.ts';

/**
 * aider marks nothing: on a terminal it runs `$SHELL -i -c <command>` through a pty of its own,
 * else `/bin/sh -c <command>` in its own process group (https://github.com/Aider-AI/aider,
 * aider/run_cmd.py). Only parentage tells, so only while it lives.
 */
export const aiderSignature: AgentSignature = {
  id: 'aider',
  name: 'aider',
  environmentNames: [],
  program: (row) =>
    isProgram({ names: ['aider'], paths: ['/aider/__main__.py'], modules: ['aider', 'aider.main'] }, row),
  shell: () => null,
  marker: () => null,
  output: () => null,
  toolShells: 'child',
  marksCallsAlone: false,
  plainCalls: 'none',
  ownGroups: false,
  updater: 'none',
  sharedServer: 'none',
  idleSpare: 'none',
};
