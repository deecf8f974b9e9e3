import { isAbsolutePath, isWindowsPath, plainPath } from '../../paths/path.ts';
import type { MarkerEnvironment } from '../../process/facts.ts';
import { type Pid, asPid } from '../../process/identity.ts';
import { agentSocketName, messagingSocketName, muxSocketName, snapshotName } from '../../sweep/forms.ts';
import type { LeftForm } from '../../sweep/left-form.ts';
import type { CallGroupForm } from '../common/call-group.ts';
import { type AgentDossier, type ServiceForm, noRecords } from '../common/dossier.ts';
import { folderValue, isSet, pidValue, sessionIdFrom } from '../common/marker-value.ts';
import { isProgram } from '../common/program-name.ts';
import type { ServerForm, ServerMark, ServerRole } from '../common/server-form.ts';
import { type AgentSignature, type MarkerMatch, type OutputMatch, noParts } from '../common/signature.ts';
import { claudePowerShell, launcherCommand, launcherScriptName } from './powershell.ts';
import { sandboxProxyMarker, sandboxProxyOf } from './proxy.ts';
import { claudeShell } from './wrapper.ts';

/** The pid of the agent in `<folder>/cc-socks/<pid>.sock` (or `cc-socks-<uid>`). */
const messagingSocket = /\/cc-socks(?:-\d+)?\/([1-9]\d{0,6})\.sock$/u;

const ownerPidOf = (environment: MarkerEnvironment): Pid | null => {
  const pid = Number(messagingSocket.exec(environment['CLAUDE_CODE_MESSAGING_SOCKET'] ?? '')?.[1] ?? 0);
  return pid > 1 && pid <= 4_194_304 ? asPid(pid) : pidValue(environment, 'CLAUDE_PID');
};

/**
 * Observed: 2.1.329 gives MCP and language servers CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS and no
 * CLAUDE_PID, hooks the reverse. 2.1.197 gives servers neither, nor the messaging socket. 2.0.28
 * has only the entry point on servers.
 */
const serverRoleOf = (environment: MarkerEnvironment): ServerRole | null => {
  const isHarness = /^claude-code_[^_]+_harness$/u.test(environment['AI_AGENT'] ?? '');
  const isHooks = isSet(environment, 'CLAUDE_PID') || environment['CLAUDE_CODE_CHILD_SESSION'] === '1';
  if (isHarness) {
    if (isHooks) return 'harness';
    const isLaunched = isSet(environment, 'CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS');
    return isLaunched || !isSet(environment, 'CLAUDE_CODE_MESSAGING_SOCKET') ? 'server' : 'harness';
  }
  if (isSet(environment, 'AI_AGENT') || isSet(environment, 'CLAUDECODE') || isHooks) return null;
  return isSet(environment, 'CLAUDE_CODE_ENTRYPOINT') ? 'weak' : null;
};

const mark = (environment: MarkerEnvironment): ServerMark | null => {
  const role = serverRoleOf(environment);
  if (role === null) return null;
  const launchers = (environment['CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS'] ?? '').split(/[\s,:;]+/u);
  const launcher = launchers.length === 1 ? launchers[0] : undefined;
  return {
    rule: role === 'server' ? 'claude-server' : 'claude-harness',
    role,
    // Never the session id: another process can have resumed the session.
    ownerPid: ownerPidOf(environment),
    session: sessionIdFrom(environment['CLAUDE_CODE_SESSION_ID']) ?? sessionIdFrom(launcher),
    project: folderValue(environment, 'CLAUDE_PROJECT_DIR'),
  };
};

/** Names of variables that only the servers of Claude Code are told by. */
const claudeServerNames = ['CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS', 'CLAUDE_CODE_ENTRYPOINT'] as const;

/** Servers of Claude Code, versions 2.0 to 2.1.329. */
const claudeServers: ServerForm = { rule: 'claude-server', mark };

/** Only hooks, MCP servers, status lines and plugins get these; tool shells of no version do. */
const harnessNames = ['CLAUDE_PROJECT_DIR', 'CLAUDE_PLUGIN_ROOT', 'CLAUDE_ENV_FILE'] as const;

/**
 * AI_AGENT says it outright since 2.1.197 at the latest: `claude-code_2-1-329_agent` on what a tool
 * call starts, `…_harness` on hooks, MCP servers, status line commands, the daemon and the
 * sandbox's proxy (all observed on 2.1.197 and 2.1.329, where the latter carry CLAUDECODE=1 and the
 * session id as well). A value without such a suffix is a user's own setting.
 */
const roleOf = (environment: MarkerEnvironment): 'tool' | 'harness' | null => {
  const value = environment['AI_AGENT'] ?? '';
  if (/^claude-code_[^_]+_agent$/.test(value)) return 'tool';
  return value.startsWith('claude-code_') ? 'harness' : null;
};

/**
 * Older versions don't have AI_AGENT. 2.0.28 gives tool shells CLAUDECODE=1 and GIT_EDITOR=true and
 * no id, and its hooks only CLAUDE_PROJECT_DIR (observed). CLAUDECODE=1 alone proves nothing:
 * editors put it into their terminals.
 */
const olderRoleOf = (environment: MarkerEnvironment): 'tool' | 'harness' | 'bare' | null => {
  if (environment['CLAUDECODE'] !== '1') return null;
  if (harnessNames.some((name) => isSet(environment, name))) return 'harness';
  const fromTool =
    environment['GIT_EDITOR'] === 'true' ||
    environment['CLAUDE_CODE_CHILD_SESSION'] === '1' ||
    isSet(environment, 'CLAUDE_CODE_SESSION_ID');
  return fromTool ? 'tool' : 'bare';
};

const marker = (environment: MarkerEnvironment): MarkerMatch | null => {
  const role = roleOf(environment) ?? olderRoleOf(environment);
  if (role === null) return null;
  if (role !== 'tool') return { kind: role, rule: role === 'harness' ? 'claude-harness' : 'claude-marker' };
  return {
    kind: 'tool',
    rule: 'claude-marker',
    session: sessionIdFrom(environment['CLAUDE_CODE_SESSION_ID']),
    ownerPid: pidValue(environment, 'CLAUDE_PID'),
    project: null,
    // Process 1 of a machine is no agent.
    ...(environment['CLAUDE_PID'] === '1' ? { sandboxed: true } : {}),
  };
};

/**
 * `<base>/claude-<uid>/<project>/<session>/tasks/<task>.output`; earlier ones had no session in
 * between. The base is the temporary folder (`/tmp`, `/private/tmp` on macOS) or
 * CLAUDE_CODE_TMPDIR.
 */
const outputPath =
  /^(?<base>\/.*|)\/claude-\d+\/(?<slug>[A-Za-z0-9-]+)\/(?:(?<session>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/)?tasks\/(?<task>[A-Za-z0-9_-]{1,64})\.output$/;

/**
 * On Windows `%TEMP%\claude\<project>\<session>\tasks\<task>.output`, without a uid; the project
 * is 16 digits of a hash, or its name where Claude Code is the desktop app or older (2.1.329, read
 * in its bundle).
 */
const windowsOutputPath =
  /^[A-Z]:\/(?:[^/]+\/)*claude\/(?<slug>[A-Za-z0-9-]+)\/(?<session>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/tasks\/(?<task>[A-Za-z0-9_-]{1,64})\.output$/;
const hashedSlug = /^[0-9a-f]{16}$/;

const output = (path: string): OutputMatch | null => {
  if (!isAbsolutePath(path) || path.length > 4096) return null;
  const onWindows = isWindowsPath(path) ? windowsOutputPath.exec(plainPath(path))?.groups : undefined;
  const groups = onWindows ?? outputPath.exec(path)?.groups;
  if (groups === undefined) return null;
  const slug = groups['slug'] ?? null;
  const { base } = groups;
  return {
    session: sessionIdFrom(groups['session']),
    task: groups['task'] ?? null,
    projectSlug: onWindows !== undefined && slug !== null && hashedSlug.test(slug) ? null : slug,
    ...(groups['session'] === undefined || base === undefined ? {} : { base }),
  };
};

/** A background session's parts rename themselves `claude bg-pty-host` … (observed on 2.1.329). */
const renamed = /^claude bg-[a-z-]+$/;

/**
 * Where `CLAUDE_CODE_TOOL_MEMORY_LIMIT` is set, or a flag of the vendor decides so, Claude Code
 * makes this group and starts every tool shell in it (observed on cgroup 1 with 2.1.329; both
 * versions read in the bundle of 2.1.330). Itself, its hooks and MCP servers stay outside, unless
 * `CLAUDE_CODE_TOOL_MEMORY_CGROUP_EXCLUDE` or `CLAUDE_CODE_MCP_MEMORY_CGROUP` put them in.
 */
const claudeCallGroup: CallGroupForm = { name: 'claude-code-bash', controller: 'memory' };

/** Claude Code, versions 2.0 to 2.1.330. */
export const claudeCodeSignature: AgentSignature = {
  ...noParts,
  id: 'claude-code',
  name: 'Claude Code',
  environmentNames: [
    'CLAUDE_CONFIG_DIR',
    'CLAUDE_CODE_TMPDIR',
    'AI_AGENT',
    'CLAUDECODE',
    'CLAUDE_CODE_SESSION_ID',
    'CLAUDE_CODE_CHILD_SESSION',
    'CLAUDE_PID',
    'GIT_EDITOR',
    // A path with the agent's pid in it; the token beside it is a secret and is not on the list.
    'CLAUDE_CODE_MESSAGING_SOCKET',
    ...harnessNames,
    ...claudeServerNames,
    launcherScriptName,
  ],
  program: (row) =>
    renamed.test(row.argv[0] ?? '') ||
    isProgram(
      {
        names: ['claude', 'claude-desktop'],
        paths: [
          '/@anthropic-ai/claude-code/cli.',
          '/@anthropic-ai/claude-agent-sdk/cli.',
          // The extension for VS Code brings its own.
          '/resources/claude-code/cli.',
          '/claude/versions/',
          '/Claude.app/Contents/',
        ],
      },
      row,
    ),
  shell: (argv) => claudeShell(argv) ?? claudePowerShell(argv),
  carriedCommand: launcherCommand,
  marker,
  dependent: sandboxProxyMarker,
  forwardsTo: sandboxProxyOf,
  output,
  toolShells: 'child-session',
  marksCallsAlone: true,
  callGroup: claudeCallGroup,
  // Its shells write their working folder there as the last thing that they do.
  callFile: /^claude-[0-9a-f]{4,8}-cwd$/,
  idleSpare: (argv) => renamed.test(argv[0] ?? ''),
};

/** The short form of a session's id, as `claude agents` lists it (2.1.329, observed). */
const shortId = /^[0-9a-f]{8}(?=-)/u;

/**
 * The daemon of background sessions (`claude daemon run`) and its workers, which rename themselves
 * `claude bg-pty-host` and `claude bg-spare` (2.1.329, observed).
 */
const claudeCodeService: ServiceForm = {
  is: (argv) => argv[1] === 'daemon' || argv[0]?.startsWith('claude bg-') === true,
  end: (argv, session) => {
    if (argv[1] === 'daemon') return { command: ['claude', 'daemon', 'stop', '--any'], ends: 'process' };
    const id = session === null ? null : (shortId.exec(session)?.[0] ?? null);
    return id === null ? null : { command: ['claude', 'stop', id], ends: 'session' };
  },
  environment: ['CLAUDE_CONFIG_DIR', 'CLAUDE_CODE_TMPDIR'],
};

const session = /^(?<session>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const transcript = /^(?<session>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/;
const ownFolder = /^claude-(?<uid>\d{1,10})$/;
const daemonFolder = /^cc-daemon-(?<uid>\d{1,10})$/;
const daemon = /^[0-9a-f]{8}$/;
const anySocket = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,100}\.sock$/;

/**
 * What Claude Code leaves (observed on 2.0.28 to 2.1.329): task outputs after every end, of up to 5
 * GB each; sockets and shell snapshots after a KILL. A resumed session is told the paths of its
 * outputs, so they stay as long as its transcript.
 */
const claudeLeftFiles: readonly LeftForm[] = [
  {
    may: 'remove',
    kind: 'task-output',
    place: 'temporary',
    path: [ownFolder, /^[A-Za-z0-9-]{1,255}$/, session, 'tasks', /^[A-Za-z0-9_-]{1,64}\.output$/],
    dead: { ended: 'session', transcript: ['projects', /^[A-Za-z0-9-]{1,255}$/, transcript] },
    emptied: 2,
  },
  {
    may: 'remove',
    kind: 'shell-snapshot',
    place: 'agent-folder',
    path: ['shell-snapshots', snapshotName],
    dead: { ended: 'agent' },
  },
  { may: 'remove', kind: 'socket', place: 'temporary', path: [agentSocketName], dead: { ended: 'agent' } },
  { may: 'remove', kind: 'socket', place: 'temporary', path: [muxSocketName], dead: { ended: 'process' } },
  ...(['temporary', 'runtime'] as const).map((place): LeftForm => ({
    may: 'remove',
    kind: 'socket',
    place,
    path: [/^cc-socks(?:-(?<uid>\d{1,10}))?$/, messagingSocketName],
    dead: { ended: 'process' },
  })),
  {
    may: 'remove',
    kind: 'socket',
    place: 'temporary',
    path: [daemonFolder, daemon, anySocket],
    dead: { ended: 'agent' },
    emptied: 1,
  },
  {
    may: 'remove',
    kind: 'socket',
    place: 'temporary',
    path: [daemonFolder, daemon, 'spare', anySocket],
    dead: { ended: 'agent' },
    emptied: 2,
  },
  {
    // 2.0.28 leaves one for every command.
    may: 'remove',
    kind: 'scratch-file',
    place: 'temporary',
    path: [/^claude-[0-9a-f]{4}-cwd$/],
    dead: { ended: 'agent' },
  },
  {
    // It clears them by the days of its setting, at a start (2.1.330, read), when one comes.
    may: 'remove',
    kind: 'debug-log',
    place: 'agent-folder',
    path: ['debug', /^(?<session>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.txt$/],
    dead: { ended: 'kept' },
  },
  {
    // https://github.com/anthropics/claude-code/issues/69427
    may: 'remove',
    kind: 'debug-log',
    place: 'home',
    path: [
      '.cache',
      'claude-cli-nodejs',
      /^-[A-Za-z0-9-]{0,250}$/,
      /^mcp-logs-[A-Za-z0-9_.-]{1,200}$/,
      /^\d{4}-\d\d-\d\dT[\d-]{6,20}Z\.(?:txt|jsonl)$/,
    ],
    dead: { ended: 'kept' },
  },
  { may: 'report', heap: 'debug-logs', place: 'home', path: ['.cache', 'claude-cli-nodejs'] },
  { may: 'report', heap: 'debug-logs', place: 'agent-folder', path: ['debug'] },
  { may: 'report', heap: 'worktrees', place: 'project', path: ['.claude', 'worktrees'] },
  {
    may: 'never',
    heap: 'transcripts',
    place: 'agent-folder',
    path: ['projects'],
    // Of a longer one it keeps 200 characters, and adds `-` and a digest.
    folderOf: (project) => project.replaceAll(/[^A-Za-z0-9]/gu, '-').slice(0, 200),
  },
];

export const claudeCode: AgentDossier = {
  ...noRecords,
  signature: claudeCodeSignature,
  names: {
    short: 'claude',
    command: 'claude',
    others: [],
    // Drawn for Curfew: a round C with a line.
    glyph: 'M12.2 4.4A5.5 5.5 0 1 0 12.2 11.6M7.5 8H13',
    containedAs: /(?:^|[^a-z])claude(?:$|[^a-z])/,
    resume: ['claude', '--resume'],
  },
  registry: { folderVariable: 'CLAUDE_CONFIG_DIR', folder: '.claude', sessionVariables: [] },
  leftFiles: claudeLeftFiles,
  service: claudeCodeService,
  servers: claudeServers,
};
