import type { MarkerEnvironment } from '../../process/facts.ts';
import { asPid, type Pid } from '../../process/identity.ts';
import { folderValue, isSet, pidValue, sessionIdFrom } from '../common/marker-value.ts';
import type { ServerForm, ServerMark, ServerRole } from '../common/server-form.ts';

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
const roleOf = (environment: MarkerEnvironment): ServerRole | null => {
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
  const role = roleOf(environment);
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
export const claudeServerNames = ['CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS', 'CLAUDE_CODE_ENTRYPOINT'] as const;

/** Servers of Claude Code, versions 2.0 to 2.1.329. */
export const claudeServers: ServerForm = { rule: 'claude-server', mark };
