import type { MarkerEnvironment } from '../../process/facts.ts';
import { asPid, type Pid } from '../../process/identity.ts';
import { programFile } from '../../paths/path.ts';
import type { Forwarded, MarkerMatch } from '../common/signature.ts';

/**
 * The one on the host's side of the sandbox, a child of the agent in the agent's own group, as
 * 2.1.329 starts it (observed; agents.md A7): `socat
 * UNIX-LISTEN:/tmp/claude-http-27657c577e8e37bf.sock,fork,reuseaddr
 * TCP:localhost:45303,keepalive,keepidle=10,keepintvl=5,keepcnt=3`
 */
const listening = /^UNIX-LISTEN:(\/[^\s,:]*\/claude-(?:http|socks)-[0-9a-f]{16}\.sock),fork,reuseaddr$/u;
const forwarding = /^TCP:localhost:(\d{1,5}),keepalive,keepidle=\d+,keepintvl=\d+,keepcnt=\d+$/u;

/** What such a proxy forwards, from a socket to its agent's port; null for other command lines. */
export const sandboxProxyOf = (argv: readonly string[]): Forwarded | null => {
  // Asked for every member at every look.
  if (argv.length !== 3) return null;
  const [program = '', from = '', to = ''] = argv;
  if (programFile(program) !== 'socat') return null;
  const socket = listening.exec(from)?.[1];
  const port = Number(forwarding.exec(to)?.[1] ?? 0);
  return socket === undefined || port < 1 || port > 65_535 ? null : { socket, port };
};

/** The agent's pid in the name of its session's socket, `/tmp/cc-socks/34.sock`; null for none. */
const messagingPid = (environment: MarkerEnvironment): Pid | null => {
  const pid = /^\/[^\s]*\/cc-socks\/([1-9]\d{0,6})(?:-[0-9a-f]+)?\.sock$/u.exec(
    environment['CLAUDE_CODE_MESSAGING_SOCKET'] ?? '',
  )?.[1];
  return pid === undefined || Number(pid) < 2 ? null : asPid(Number(pid));
};

/**
 * The marker of a proxy of the sandbox: a part of the agent, and useless without it. After a
 * SIGKILL of the agent it is left with its socket (observed on 2.1.329). Only one that names its
 * agent can be told to be left over; the rest stay what the agent's own parts are.
 */
export const sandboxProxyMarker = (argv: readonly string[], environment: MarkerEnvironment): MarkerMatch | null => {
  if (environment['AI_AGENT']?.startsWith('claude-code_') !== true || sandboxProxyOf(argv) === null) return null;
  const ownerPid = messagingPid(environment);
  return ownerPid === null
    ? null
    : { kind: 'tool', rule: 'claude-sandbox-proxy', session: null, ownerPid, project: null, isDependent: true };
};
