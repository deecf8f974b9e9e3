import type { Said } from '../format/said.ts';
import type { AgentId, AgentSessionId } from '../agents/common/agent-id.ts';
import type { Pid, ProcessIdentity } from '../process/identity.ts';

/** Whether an agent's run goes on. `unknown` if a registry is unreadable or contradictory. */
export type SessionState = 'live' | 'gone' | 'unknown';

/** What an agent says of its session. `answer`: it waits for its user. `other`: unknown words. */
export type SessionStatus = 'idle' | 'busy' | 'answer' | 'command' | 'other';

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
  /**
   * Told by a hook, or by a file that names a process without its start: the end of that process
   * takes it off the list, and proves no end of the session.
   */
  readonly claimant?: true;
  /** A client elsewhere may use it. Left out where its registry does not say so. */
  readonly remote?: true;
  /** What its agent says of it. Left out: not told. */
  readonly status?: SessionStatus;
  /** When its registry last changed its status: wall clock, milliseconds. Left out: not told. */
  readonly statusAtMs?: number;
}

/** All that one look knows of sessions, from registries, transcripts, leases and open files. */
export interface SessionDirectory {
  readonly sessions: readonly AgentSession[];
  /**
   * Agents whose registry could be read completely at this look: only for them does "no entry" mean
   * that a session is not there. An agent without a registry is never in here.
   */
  readonly completeFor: ReadonlySet<AgentId>;
  /**
   * True for a session whose transcript lies beside a registry of this look. Only of those does a
   * complete registry say that they have ended: others can be of another home folder, such as a
   * sandbox's.
   */
  readonly hasTranscript: (agent: AgentId, session: string) => boolean;
  /**
   * Agents of which a living process can't be looked into at this look: it may hold another
   * session's tasks without being seen to. Then no session of that agent is gone for certain.
   */
  readonly opaqueFor: ReadonlySet<AgentId>;
  /**
   * What could not be read of registries. Any of these may name a session that was taken over by
   * another process, so no session that it may be about is gone for certain.
   */
  readonly unclear: readonly UnclearEntry[];
  /**
   * Sessions that another, living session has taken over ("move to background", resume): key
   * `agent/sessionId`, with the living process that holds it.
   */
  readonly adoptions: readonly Adoption[];
  /** Shells, by group or pid, meant to outlive their agent (Copilot's `detach` with "keep"). */
  readonly keptByAgent: readonly KeptByAgent[];
}

/** A registry, or a part of one, that is there and can't be read or understood. */
export interface UnclearEntry {
  readonly agent: AgentId;
  /** The session that it is about; null: it may be any. */
  readonly session: AgentSessionId | null;
  /** Path, for `--explain`. */
  readonly source: string;
}

/** A session's jobs have a new, living owner although the session's own process is dead. */
export interface Adoption {
  readonly agent: AgentId;
  readonly session: AgentSessionId;
  readonly by: ProcessIdentity;
  readonly evidence: Said;
}

/** An agent's own declaration that a shell is to outlive it. */
export interface KeptByAgent {
  readonly agent: AgentId;
  readonly pid: Pid | null;
  readonly pgid: number | null;
  readonly startTicks: number | null;
  readonly evidence: string;
  /** Which keeps it by which file, where the evidence consists of these. */
  readonly shell?: { readonly keeper: string; readonly name: string; readonly path: string };
}

/** Knows nothing: every owner is unknown unless its process proves otherwise. */
export const emptySessionDirectory: SessionDirectory = {
  sessions: [],
  completeFor: new Set(),
  hasTranscript: () => false,
  opaqueFor: new Set(),
  unclear: [],
  adoptions: [],
  keptByAgent: [],
};
