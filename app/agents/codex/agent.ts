import type { MarkerEnvironment } from '../../process/facts.ts';
import type { LeftForm } from '../../sweep/left-form.ts';
import { type AgentDossier, type ServiceForm, noRecords } from '../common/dossier.ts';
import { isSet, sessionIdFrom } from '../common/marker-value.ts';
import { isProgram } from '../common/program-name.ts';
import type { ServerForm } from '../common/server-form.ts';
import { type AgentSignature, type MarkerMatch, noParts } from '../common/signature.ts';

/** Codex CLI 0.169 clears its servers' environment: known only when a look saw them below it. */
const codexServers: ServerForm = { rule: 'codex-server', mark: () => null };

/** Some users keep a release's name, with the platform: https://github.com/openai/codex, README */
const released = ['x86_64', 'aarch64'].flatMap((machine) =>
  ['unknown-linux-musl', 'unknown-linux-gnu', 'apple-darwin', 'pc-windows-msvc'].map(
    (system) => `codex-${machine}-${system}`,
  ),
);

/**
 * 0.169 gives a command its session, thread and call id and CODEX_CI=1 (observed); its hooks get
 * none of these. The sandbox's variables are public, and any program can set them.
 */
const marker = (environment: MarkerEnvironment): MarkerMatch | null => {
  const session = sessionIdFrom(environment['CODEX_SESSION_ID']) ?? sessionIdFrom(environment['CODEX_THREAD_ID']);
  if (session !== null || environment['CODEX_CI'] === '1')
    return { kind: 'tool', rule: 'codex-marker', session, ownerPid: null, project: null };
  return isSet(environment, 'CODEX_SANDBOX') || isSet(environment, 'CODEX_SANDBOX_NETWORK_DISABLED')
    ? { kind: 'bare', rule: 'codex-marker' }
    : null;
};

/**
 * What keeps the server up to date that the terminal of Codex 0.169 starts (`codex app-server
 * daemon pid-update-loop`, observed): it runs no commands, has no session, and goes on when the
 * terminal is closed and the server has ended.
 */
const isUpdater = (argv: readonly string[]): boolean =>
  argv[1] === 'app-server' && argv[2] === 'daemon' && argv[3] === 'pid-update-loop';

/**
 * Codex CLI 0.169. It wraps nothing around a command (`/bin/bash -c '<command>'`, the shell leads
 * its own kernel session), so argv proves nothing; when the agent is killed the shells die with it
 * and their children stay behind in the dead shells' groups.
 */
const codexSignature: AgentSignature = {
  ...noParts,
  id: 'codex',
  name: 'Codex CLI',
  environmentNames: [
    'CODEX_HOME',
    'CODEX_SESSION_ID',
    'CODEX_THREAD_ID',
    'CODEX_CI',
    'CODEX_SANDBOX',
    'CODEX_SANDBOX_NETWORK_DISABLED',
  ],
  program: (row) =>
    isProgram(
      {
        // Not codex-linux-sandbox and codex-execve-wrapper: those stand around a command, they are
        // part of a tool call.
        names: [
          'codex',
          'codex-exec',
          'codex-tui',
          'codex-app-server',
          'codex-mcp-server',
          ...released,
          'codex-responses-api-proxy',
        ],
        paths: ['/@openai/codex/bin/', '/Codex.app/Contents/'],
      },
      row,
    ),
  marker,
  toolShells: 'child-session',
  marksCallsAlone: true,
  // Its hooks lead kernel sessions, too (observed on 0.169), and read their event from a pipe.
  // Calls get /dev/null, codex-rs/core/src/spawn.rs: StdioPolicy::RedirectForShellTool.
  plainCalls: 'without-input',
  updater: isUpdater,
};

/**
 * The daemon that all terminals of Codex 0.169 talk to (`codex app-server --listen unix://
 * --managed-daemon`) and what keeps it up to date (`codex app-server daemon pid-update-loop`), both
 * observed. An app-server over pipes is an editor's, and no daemon.
 */
const codexService: ServiceForm = {
  is: (argv) => argv.includes('app-server') && (argv.includes('--managed-daemon') || argv.includes('daemon')),
  // The update loop goes on after it (observed).
  end: (argv) =>
    argv.includes('--managed-daemon') ? { command: ['codex', 'app-server', 'daemon', 'stop'], ends: 'process' } : null,
  environment: ['CODEX_HOME'],
};

/** What Codex CLI leaves (observed on 0.169): snapshots of shells and sockets after a KILL. */
const codexLeftFiles: readonly LeftForm[] = [
  {
    may: 'remove',
    kind: 'shell-snapshot',
    place: 'agent-folder',
    path: ['shell_snapshots', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\.\d{1,20})?\.sh$/],
    dead: { ended: 'agent' },
  },
  {
    may: 'remove',
    kind: 'socket',
    place: 'temporary',
    path: [/^codex-daemon-(?<uid>\d{1,10})$/, /^[A-Za-z0-9][A-Za-z0-9_.-]{0,100}\.sock$/],
    dead: { ended: 'agent' },
    emptied: 1,
  },
  { may: 'report', heap: 'packages', place: 'agent-folder', path: ['packages'] },
  { may: 'report', heap: 'worktrees', place: 'agent-folder', path: ['worktrees'] },
  { may: 'never', heap: 'transcripts', place: 'agent-folder', path: ['sessions'] },
];

export const codex: AgentDossier = {
  ...noRecords,
  signature: codexSignature,
  names: {
    short: 'codex',
    command: 'codex',
    others: ['codex-cli', 'openai-codex'],
    // Drawn for Curfew: two crossing strokes, one broken.
    glyph: 'M3.5 3.5 12.5 12.5M12.5 3.5 9.6 6.4M6.4 9.6 3.5 12.5',
    containedAs: /(?:^|[^a-z])codex(?:$|[^a-z])/,
    resume: ['codex', 'resume'],
  },
  registry: {
    folderVariable: 'CODEX_HOME',
    folder: '.codex',
    sessionVariables: ['CODEX_SESSION_ID', 'CODEX_THREAD_ID'],
  },
  leftFiles: codexLeftFiles,
  service: codexService,
  servers: codexServers,
};
