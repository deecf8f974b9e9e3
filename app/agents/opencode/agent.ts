import type { MarkerEnvironment } from '../../process/facts.ts';
import type { LeftForm } from '../../sweep/left-form.ts';
import { type AgentDossier, type ServiceForm, noRecords } from '../common/dossier.ts';
import { isSet, pidValue } from '../common/marker-value.ts';
import { isProgram } from '../common/program-name.ts';
import type { ServerForm } from '../common/server-form.ts';
import { type AgentSignature, type MarkerMatch, noParts } from '../common/signature.ts';

/** Servers of opencode 1.18.33: they carry what its commands carry (observed). */
const opencodeServers: ServerForm = {
  rule: 'opencode-server',
  mark: (environment) => {
    const ownerPid = pidValue(environment, 'OPENCODE_PID');
    return ownerPid === null
      ? null
      : { rule: 'opencode-server', role: 'shared', ownerPid, session: null, project: null };
  },
};

/**
 * opencode puts OPENCODE=1 and OPENCODE_PID into its own environment when it starts, so every child
 * has them: commands, and also language and MCP servers (observed on 1.18.33). Those share
 * opencode's kernel session, a command has one of its own.
 */
const marker = (environment: MarkerEnvironment): MarkerMatch | null => {
  const ownerPid = pidValue(environment, 'OPENCODE_PID');
  if (ownerPid !== null) return { kind: 'tool', rule: 'opencode-marker', session: null, ownerPid, project: null };
  // What is made from it keeps the first and has a variable of its own for the second (Kilo 7.7.7,
  // observed).
  return isSet(environment, 'OPENCODE') && !isSet(environment, 'KILO_PID')
    ? { kind: 'bare', rule: 'opencode-marker' }
    : null;
};

/**
 * The server that opencode 2 starts in the background, one for all sessions of a user: it runs
 * their commands, and outlives the terminals in which they were asked for. Whose pid it marks them
 * with is not established. https://opencode.ai/v2/docs/cli.md, "Background service"
 */
const isServer = (argv: readonly string[]): boolean => argv.includes('serve');

/** opencode 1.18.33, terminal and desktop; opencode 2 (opencode.ai/v2/docs/cli.md) was not run. */
const opencodeSignature: AgentSignature = {
  ...noParts,
  id: 'opencode',
  name: 'opencode',
  environmentNames: ['OPENCODE', 'OPENCODE_PID', 'KILO_PID'],
  program: (row) =>
    isProgram(
      {
        names: ['opencode', 'opencode2', '.opencode', 'opencode-desktop', 'opencode-cli'],
        paths: ['/opencode-ai/bin/'],
      },
      row,
    ),
  // A command is a plain `bash -c <command>` (observed): argv proves nothing.
  marker,
  toolShells: 'child-session',
  // It has no hooks that are commands, and its servers share its kernel session.
  plainCalls: 'always',
  sharedServer: isServer,
};

/** `opencode serve` and `opencode web` (1.18.33): a server for the clients that connect to it. */
const opencodeService: ServiceForm = {
  is: (argv) => argv.includes('serve') || argv.includes('web'),
  end: () => null,
  environment: [],
};

/**
 * What opencode leaves (observed on 1.18.33): the library that its runtime unpacks into the
 * temporary folder at every start, 5.6 MB each. A running opencode has it mapped.
 */
const opencodeLeftFiles: readonly LeftForm[] = [
  {
    may: 'remove',
    kind: 'library',
    place: 'temporary',
    path: [/^\.[0-9a-f]{16}-00000000\.so$/],
    dead: { ended: 'holders' },
  },
  { may: 'never', heap: 'transcripts', place: 'home', path: ['.local', 'share', 'opencode'] },
];

export const opencode: AgentDossier = {
  ...noRecords,
  signature: opencodeSignature,
  names: {
    short: 'opencode',
    command: 'opencode',
    others: ['open-code'],
    // Drawn for Curfew: open brackets.
    glyph: 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5',
    containedAs: /(?:^|[^a-z])opencode(?:$|[^a-z])/,
    resume: ['opencode', '--session'],
  },
  leftFiles: opencodeLeftFiles,
  service: opencodeService,
  servers: opencodeServers,
};
