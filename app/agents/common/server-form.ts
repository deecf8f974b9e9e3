import type { MarkerEnvironment } from '../../process/facts.ts';
import type { Pid } from '../../process/identity.ts';
import type { AgentSessionId } from './agent-id.ts';

/**
 * What a mark says of a process that an agent's harness started.
 *
 * - `server`: only servers carry it.
 * - `shared`: commands carry the same; a server is told by its ends and its kernel session.
 * - `harness`: hooks and other parts carry it too. Such a process is only ever reported.
 * - `weak`: a name that says nothing but that the agent was above.
 * - `configured`: no mark at all: it runs a command that the agent's settings name as a server.
 */
export type ServerRole = 'server' | 'shared' | 'harness' | 'weak' | 'configured';

export interface ServerMark {
  /** Stable name, shown to users and kept in records. */
  readonly rule: string;
  readonly role: ServerRole;
  /** The agent's pid as the environment names it; null where it names none. */
  readonly ownerPid: Pid | null;
  readonly session: AgentSessionId | null;
  readonly project: string | null;
}

/** What is known of the servers (MCP, language servers) that an agent keeps beside a session. */
export interface ServerForm {
  /** The name of the rule by which a server is known that was seen below the agent. */
  readonly rule: string;
  /** The mark in an environment; null for none. */
  readonly mark: (environment: MarkerEnvironment) => ServerMark | null;
  /**
   * The agent gives each server a kernel session of its own. Of others, what has one after the
   * agent's end may be a hook or a daemon, and is only shown.
   */
  readonly ownSessions?: true;
}
