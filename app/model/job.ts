import type { SafeText } from '../format/secrets/safe-text.ts';
import type { Reach } from './reach.ts';
import type { AgentId, AgentSessionId } from '../agents/common/agent-id.ts';
import type { MemberFacts } from '../process/facts.ts';
import type { ProcessIdentity } from '../process/identity.ts';
import type { ProcessRow } from '../process/row.ts';
import type { Proof } from './proof.ts';
import type { Said } from '../format/said.ts';
import type { UsersDoubt } from './users-doubt.ts';
import type { ServerState } from './server-state.ts';

/** Short lower case hexadecimal, stable while the job lives, across restarts of Curfew. */
export type JobId = string & { readonly __brand: 'JobId' };

/** Marks a text as a job id; the border that reads it checks the form first. */
export const asJobId = (value: string): JobId => value as JobId;

/** Why it belongs: same group, parentage, marker, remembered by the ledger, holds the output. */
export type MembershipEvidence = 'group' | 'tree' | 'env' | 'ledger' | 'output';

/** A process of a job. */
export interface Member {
  readonly row: ProcessRow;
  readonly by: readonly MembershipEvidence[];
}

/** A sign that an agent started it. `Proof` alone proves: programs inherit or write signs. */
export type Provenance =
  | { readonly code: 'wrapper'; readonly rule: string }
  | { readonly code: 'marker'; readonly rule: string }
  | { readonly code: 'output'; readonly path: string }
  | { readonly code: 'ledger'; readonly firstSeenMs: number }
  | { readonly code: 'parent'; readonly agent: AgentId }
  | { readonly code: 'rule'; readonly rule: string }
  | { readonly code: 'run'; readonly run: string }
  /** It is the agent itself; only of an agent that may be ended (see `Reach`). */
  | { readonly code: 'agent'; readonly agent: AgentId };

/** Whose the job is. Only `gone` can make an orphan, and every `gone` says how it is known. */
export type Owner =
  | {
      readonly state: 'live';
      readonly process: ProcessIdentity | null;
      readonly evidence: Said;
      /**
       * A hook, a lock file or a registry names it as the owner: no look saw it above the job. Its
       * end proves nothing of the session.
       */
      readonly claimant?: true;
    }
  | {
      readonly state: 'gone';
      /** Wall clock, milliseconds, when first known; null when it was before Curfew looked. */
      readonly sinceMs: number | null;
      readonly evidence: Said;
    }
  | {
      readonly state: 'unknown';
      readonly evidence: Said;
      /** Set where the user may have given a part of it to the job. */
      readonly doubt?: UsersDoubt;
      /** No process lives that could own it, though the end of its session was not observed. */
      readonly noneLeft?: true;
    };

/** What the members hold together, measured at this look. `null`: could not be read. */
export interface Holdings {
  readonly rssBytes: number;
  /** Share of one core since the look before, 0 … 100 × cores. */
  readonly cpuPercent: number;
  readonly fds: number;
  readonly ports: readonly number[];
  readonly locks: readonly string[];
  readonly sockets: number;
  readonly outputBytes: number | null;
}

/** Seen from outside why a job is stuck; each comes with figures. */
export interface Diagnosis {
  readonly code:
    | 'waiting-on-stdin'
    | 'waiting-on-pipe'
    | 'waiting-for-lock'
    | 'spinning'
    | 'polling'
    | 'leaking-descriptors'
    | 'flooding-output'
    | 'stopped'
    | 'zombie-children'
    | 'disk-wait'
    | 'deleted-folder'
    | 'long-connection'
    | 'memory-pressure'
    | 'fast-growth'
    | 'stale-sandbox-proxy';
  /** Figures by name, units in the names (`seconds`, `bytes`, `pid`, `fds`). */
  readonly figures: Readonly<Record<string, number | string>>;
}

/**
 * In which way a job is connected to a process outside of it. `connection`: made to it, `outgoing`:
 * made by it, `recent`: made to it and closed a short while ago; `unknown`: it may be connected,
 * which counts as if it were.
 */
export const clientWays = [
  'connection',
  'outgoing',
  'recent',
  'pipe',
  'terminal',
  'memory',
  'display',
  'unknown',
] as const;

/** What a job is connected to. */
export interface Client {
  readonly by: (typeof clientWays)[number];
  /**
   * What was connected to, for users: `port 5173`, an address, the path of a socket or a named
   * pipe, the socket of a display; what can't be seen.
   */
  readonly at: string;
  /** Address of the other side, where it has one. */
  readonly from: string | null;
  /** An agent started the client, too, so that it puts no hard cap off. */
  readonly byAgent?: true;
}

/** What a job that was started with `curfew run` is held to, by its own `curfew run` alone. */
export interface RunTerms {
  /** The id of the run, for `curfew logs` and `curfew terminate`. */
  readonly id: string;
  readonly background: boolean;
  /** null: none but the hard cap. */
  readonly maxElapsedSeconds: number | null;
  /** `always` if the command line asked for it, else the settings' value when it began. */
  readonly atMaxElapsed: 'always' | 'reap' | 'reap-silent' | 'notify';
  readonly hardCapSeconds: number;
  readonly graceSeconds: number;
  /** Its `curfew run`. */
  readonly supervisor: ProcessIdentity;
}

/** `service`: it listens on a port. `server`: its agent keeps it beside a session. */
export const jobKinds = ['task', 'service', 'server'] as const;

export type JobKind = (typeof jobKinds)[number];

/** A container as its server is shown with. Foreign text. */
export interface AttachedContainer {
  readonly id: string;
  readonly name: string;
  readonly image: string | null;
}

/** What is known of a job from its first look on; its draft and the ledger have it, too. */
export interface JobBasis {
  readonly id: JobId;
  readonly agent: AgentId;
  readonly rule: string;
  /** As the agent asked for it, unwrapped, secrets redacted. */
  readonly command: SafeText;
  readonly project: string | null;
  readonly session: AgentSessionId | null;
  readonly task: string | null;
  /** Path of the agent's output file of this job. */
  readonly output: string | null;
  readonly provenance: readonly Provenance[];
  /** Of all members: what was witnessed and what is only claimed are never one job. */
  readonly proof: Proof;
}

/** What one tool call of a session started: all processes that belong to it, as one unit. */
export interface Job extends JobBasis {
  /** What the user or the agent calls it; absent where it has no name. Foreign text. */
  readonly name?: string;
  /** Set for what was started with `curfew run`. */
  readonly run?: RunTerms;
  /** Set for an agent that may be ended: why no user can reach it. */
  readonly reach?: Reach;
  /** What the job hangs on: the tool shell, or the oldest member where that has ended. */
  readonly root: ProcessRow;
  /** Living members, root first. Zombies are not members. */
  readonly members: readonly Member[];
  /** Facts of the members by pid, as far as they could be read. */
  readonly facts: ReadonlyMap<number, MemberFacts>;
  readonly owner: Owner;
  /** Time awake since the tool call, though its shell may have ended: the ledger remembers. */
  readonly ageSeconds: number;
  /** Wall clock of the tool call, milliseconds since the epoch. */
  readonly startedAtMs: number;
  /**
   * No CPU time, no input or output and no growth of the output for so long, as far as it was
   * watched; 0 when it works or was not watched yet.
   */
  readonly silentSeconds: number;
  readonly kind: JobKind;
  /** Set for a server of a session (`kind` is `server`). */
  readonly server?: ServerState;
  /** The container to which a process of it is attached; it may go on without that. */
  readonly container?: AttachedContainer;
  readonly holds: Holdings;
  readonly diagnoses: readonly Diagnosis[];
  /** Set where it has a client, which is looked for only where the job would be ended. */
  readonly client?: Client;
  /** Put off until this wall clock (ms) by the time awake counted so far; null: it is not. */
  readonly keptUntilMs: number | null;
  /** Set where it is put off: see `Keep`. */
  readonly keptBy?: 'user' | 'session';
  /** The age in seconds to which the user moved its hard cap; left out: they did not. */
  readonly capSeconds?: number;
  /** Wall clock, ms, when the user was first told that it overstays; null: not told. */
  readonly noticedAtMs: number | null;
  /** Seconds awake since its session ended, as observed; null: not ended, or unknown when. */
  readonly goneSeconds: number | null;
  /** Time awake since the end was announced that comes next, seconds; null: none is. */
  readonly announcedSeconds: number | null;
}
