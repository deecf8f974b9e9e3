import { isAbsolutePath, isWindowsPath, plainPath } from '../../paths/path.ts';
import type { MarkerEnvironment } from '../../process/facts.ts';
import type { CallGroupForm } from '../common/call-group.ts';
import { sandboxProxyMarker, sandboxProxyOf } from './proxy.ts';
import { claudePowerShell, launcherCommand, launcherScriptName } from './powershell.ts';
import { claudeShell } from './wrapper.ts';
import { isSet, pidValue, sessionIdFrom } from '../common/marker-value.ts';
import { isProgram } from '../common/program-name.ts';
import { claudeServerNames } from './servers.ts';
import type { AgentSignature, MarkerMatch, OutputMatch } from '../common/signature.ts';

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

/**
 * A background session's parts rename themselves to `claude bg-pty-host`, `claude bg-spare`
 * (observed on 2.1.329).
 */
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
  plainCalls: 'none',
  callGroup: claudeCallGroup,
  // Its shells write their working folder there as the last thing that they do.
  callFile: /^claude-[0-9a-f]{4,8}-cwd$/,
  ownGroups: false,
  updater: 'none',
  sharedServer: 'none',
  idleSpare: (argv) => renamed.test(argv[0] ?? ''),
};
