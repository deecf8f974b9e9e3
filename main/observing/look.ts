import type { JobProbe } from '../../app/diagnose/probe.ts';
import type { Draft } from '../../app/jobs/find/draft.ts';
import type { FoundHere } from '../../app/jobs/find/find-jobs.ts';
import type { LedgerEntry } from '../../app/jobs/ledger/ledger.ts';
import type { ContainerWitness, ServerWitness, Witness } from '../../app/jobs/lineage/witness.ts';
import type { AssembledJob } from '../../app/jobs/measure/assemble.ts';
import type { EndedSession } from '../../app/jobs/sessions/ended-sessions.ts';
import type { Spared } from '../../app/jobs/spared/spared.ts';
import type { Verdict, Veto } from '../../app/judge/verdict.ts';
import type { Job, JobId } from '../../app/model/job.ts';
import type { RunningAgent } from '../../app/model/running-agent.ts';
import type { AgentSession, SessionDirectory } from '../../app/model/session.ts';
import type { Pid } from '../../app/process/identity.ts';
import type { MemberFacts } from '../../app/process/facts.ts';
import type { ProcessTable } from '../../app/process/table.ts';
import type { Settings } from '../../app/settings/settings.ts';
import type { harmlessSockets } from './clients.ts';

/** What one look has read so far. */
export interface Scan {
  readonly settings: Settings;
  readonly table: ProcessTable;
  readonly directory: SessionDirectory;
  /** Entries of this boot as they were loaded. */
  readonly known: readonly LedgerEntry[];
  readonly drafts: readonly Draft[];
  readonly serving: FoundHere['serving'];
  /** Roots of older sets of servers that the user may end. */
  readonly olderRoots: ReadonlySet<Pid>;
  readonly spared: Spared;
  /** What earlier looks saw, and what is to be remembered after this one. */
  readonly before: readonly Witness[];
  readonly witnesses: readonly Witness[];
  readonly facts: ReadonlyMap<number, MemberFacts>;
  /** Where the facts are from: see `SteppedReading.readingFacts`. */
  readonly from: 'fresh' | 'kept';
  readonly probes: ReadonlyMap<JobId, JobProbe>;
  readonly endedSessions: readonly EndedSession[];
}

export interface Judged {
  readonly assembled: readonly AssembledJob[];
  readonly jobs: ReadonlyMap<JobId, JudgedJob>;
  readonly harmless: HarmlessSockets;
  /** Of some job the end is announced, or due. */
  readonly decides: boolean;
}

export type HarmlessSockets = ReturnType<typeof harmlessSockets>;

export interface JudgedJob {
  readonly job: Job;
  readonly vetoes: readonly Veto[];
  readonly verdict: Verdict;
  readonly entry: LedgerEntry;
  /**
   * Its session told through its hooks that it ends, a short while ago; no grace of an orphan was
   * waited for.
   */
  readonly toldEnded?: true;
}

export interface Look {
  readonly table: ProcessTable;
  readonly sessions: readonly AgentSession[];
  /** All that registries say; left out of a look at another machine. */
  readonly directory?: SessionDirectory;
  readonly jobs: ReadonlyMap<JobId, JudgedJob>;
  /** See `FoundHere`; left out of a look at another machine. */
  readonly serving?: FoundHere['serving'];
  /** Servers of living agents, as they are remembered; left out of a look at another machine. */
  readonly servers?: readonly ServerWitness[];
  /** Every agent of the user; none where the machine does not tell who can reach them. */
  readonly agents?: readonly RunningAgent[];
  /**
   * Agents and older sets of servers that the user may end, as what is to be ended. Those that are
   * ended by themselves are among `jobs` as well.
   */
  readonly agentJobs?: ReadonlyMap<JobId, JudgedJob>;
  /** Which of them are older sets of servers. */
  readonly olderSets?: ReadonlySet<JobId>;
  /** Containers to which a server of a session is or was attached; of this machine only. */
  readonly containers?: readonly ContainerWitness[];
  /**
   * The next look is to come soon: a session that told that it ends is about to exit, or left
   * something.
   */
  readonly hurries?: true;
  /** Milliseconds that it took, without what others did between its steps. */
  readonly tookMs: number;
  /** Processor time of this process during the look, if known; unlike `tookMs` free of load. */
  readonly cpuMs?: number;
}
