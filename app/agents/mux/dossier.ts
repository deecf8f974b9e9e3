import type { AgentDossier } from '../common/dossier.ts';
import { muxSignature } from './signature.ts';
import { muxServers } from './servers.ts';

/** What is known of mux. It keeps no sessions: a workspace goes on when mux is started again. */
export const mux: AgentDossier = {
  signature: muxSignature,
  names: {
    short: 'mux',
    others: ['cmux', 'coder-mux'],
    // Drawn for Curfew: panes.
    glyph: 'M2.5 3h11v10h-11ZM8 3v10M8 8h5.5',
    containedAs: /(?:^|[^a-z])(?:mux|xum)(?:$|[^a-z])/,
  },
  registry: 'none',
  // mux takes a command for running as long as the file is not there. A trap of its shell, or mux
  // itself, writes the number with a line end (https://github.com/coder/mux,
  // src/node/runtime/backgroundCommands.ts).
  exitCode: { file: 'exit_code' },
  leftFiles: 'none',
  service: 'none',
  servers: muxServers,
};
