import type { AgentId } from '../../app/agents/common/agent-id.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import type { Evidence } from '../../app/jobs/lineage/evidence.ts';
import type { Witness } from '../../app/jobs/lineage/witness.ts';
import type { LedgerEntry } from '../../app/jobs/ledger/ledger.ts';
import type { Saying, Spared, SparedFact } from '../../app/jobs/spared/spared.ts';
import type { RunSubject } from '../../app/jobs/find/run-jobs.ts';
import type { JobId } from '../../app/model/job.ts';
import type { TurnState } from '../../app/model/reach.ts';
import type { AgentSession, SessionDirectory } from '../../app/model/session.ts';
import type { EndedSession } from '../../app/jobs/sessions/ended-sessions.ts';
import type { Terms } from '../../app/judge/context.ts';
import type { AwakeStretch } from '../../app/process/awake.ts';
import type { BootId, Pid } from '../../app/process/identity.ts';
import type { ProcessTable } from '../../app/process/table.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import type { ProberTools } from './prober.ts';

export interface GivenNotice {
  readonly id: JobId;
  /** Where its end was announced: at these ticks, and the notice counts from there. */
  readonly announcedAtTicks: number | null;
}

export interface LedgerMemory {
  /**
   * When the machine was awake in this boot, as far as it was observed. Left out: nothing is kept
   * of that.
   */
  readonly awake?: {
    load(bootId: BootId): readonly AwakeStretch[];
    save(bootId: BootId, stretches: readonly AwakeStretch[]): void;
  };
  /** Entries of this boot, with what another process (`curfew keep`) changed meanwhile. */
  load(bootId: BootId): readonly LedgerEntry[];
  /** All jobs of this look; what is missing has ended. */
  save(bootId: BootId, entries: readonly LedgerEntry[]): void;
  /**
   * What earlier looks of this boot saw of the user's processes and of agents, those of other
   * Curfew processes included.
   */
  witnesses(bootId: BootId): readonly Witness[];
  /** The same after this look; what is missing is forgotten. */
  saveWitnesses(bootId: BootId, witnesses: readonly Witness[]): void;
  /** What spares processes, also where the ledger is lost. Left out: nothing is kept of that. */
  readonly spared?: {
    /** What is spared in this boot; notices that the ledger was lost. */
    meet(now: Saying): Spared;
    /** What a look saw, and what tells which facts are over by it. Never throws. */
    note(now: Saying, facts: readonly SparedFact[], isOver?: (fact: SparedFact) => boolean): void;
    /** What the user says. Throws StoreFailure when it can't be written. */
    say(now: Saying, facts: readonly SparedFact[]): void;
    /** See `SparedFile`. Throws as `say` does. */
    takeBack(now: Saying, job: JobId): void;
  };
}

export interface ObserverTools extends Omit<ProberTools, 'source'> {
  readonly source: ProcessSource;
  readonly evidence: Evidence;
  readonly readSessions: (table: ProcessTable) => SessionDirectory;
  readonly ledger: LedgerMemory;
  readonly now: () => number;
  /** What was started with `curfew run` and has not ended. */
  readonly readRuns?: (bootId: BootId) => readonly RunSubject[];
  /**
   * Sessions that told a short while ago that they end, as of the sessions read last: what they
   * left gets no grace.
   */
  readonly endedSessions?: () => readonly EndedSession[];
  readonly transcriptMs?: (session: AgentSession) => number | null;
  readonly wakes?: (session: AgentSession) => boolean | null;
  readonly turn?: (session: AgentSession) => TurnState | null;
  readonly turnInTeam?: (agent: AgentId, row: ProcessRow) => TurnState | null;
  /** What holds for this pass instead of grace and notice. */
  readonly terms?: Terms;
  /**
   * It ends what is due, so it keeps account of what was announced: an end that is no longer to
   * come, or that went without a look for long, is announced again. Others only read of it.
   */
  readonly announces?: boolean;
  /** Servers of living sessions are shown too. */
  readonly allServers?: boolean;
  /** Helpers that hooks, plugins and servers detached are shown too. */
  readonly showsDetached?: boolean;
  /**
   * The process that looks, in the table that is looked at: this one if left out, the shell that
   * answers on another machine.
   */
  readonly ownPid?: () => Pid;
}
