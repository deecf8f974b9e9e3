import type { AgentId, AgentSessionId } from '../agents/agent-id.ts';
import type { Pid, ProcessIdentity } from '../process/identity.ts';

/** Whether the run of an agent still goes on. `unknown` whenever a registry can't be read or contradicts itself. */
export type SessionState = 'live' | 'gone' | 'unknown';

/** One run of an agent, as its own registry or its process tells. */
export interface AgentSession {
  readonly agent: AgentId;
  readonly id: AgentSessionId | null;
  /** The process of the session; null when it is known only by what it left. */
  readonly process: ProcessIdentity | null;
  readonly pid: Pid | null;
  readonly state: SessionState;
  /** Project folder. */
  readonly project: string | null;
  /** Where this is known from, in words, for `--explain`: "~/.claude/sessions/4711.json". */
  readonly source: string;
}

/**
 * All that is known of sessions at one look. Made by `main/agents` from registries, transcripts, leases and open files.
 */
export interface SessionDirectory {
  readonly sessions: readonly AgentSession[];
  /**
   * Agents whose registry could be read completely at this look: only for them does "no entry" mean that a session is not there.
   * An agent without a registry is never in here.
   */
  readonly completeFor: ReadonlySet<AgentId>;
  /**
   * Agents of which a living process can't be looked into at this look: it may hold another session's tasks without being seen to.
   * Then no session of that agent is gone for certain.
   */
  readonly opaqueFor: ReadonlySet<AgentId>;
  /**
   * Sessions that another, living session has taken over ("move to background", resume): key `agent/sessionId`, with the
   * living process that holds it.
   */
  readonly adoptions: readonly Adoption[];
  /** Shells that their agent means to outlive it, by process group or pid (Copilot's `detach` with lease state "keep"). */
  readonly keptByAgent: readonly KeptByAgent[];
}

/** A session's jobs have a new, living owner although the session's own process is dead. */
export interface Adoption {
  readonly agent: AgentId;
  readonly session: AgentSessionId;
  readonly by: ProcessIdentity;
  /** In words: "a background session has its tasks folder open". */
  readonly evidence: string;
}

/** An agent's own declaration that a shell is to outlive it. */
export interface KeptByAgent {
  readonly agent: AgentId;
  readonly pid: Pid | null;
  readonly pgid: number | null;
  readonly startTicks: number | null;
  readonly evidence: string;
}

/** An empty directory in which nothing is known: every owner is unknown unless its process proves otherwise. */
export const emptySessionDirectory: SessionDirectory = {
  sessions: [],
  completeFor: new Set(),
  opaqueFor: new Set(),
  adoptions: [],
  keptByAgent: [],
};
