import type { AgentSession, SessionDirectory } from '../../app/jobs/model/session.ts';
import type { Job, JobId } from '../../app/jobs/model/job.ts';
import type { LedgerEntry } from '../../app/jobs/ledger/ledger.ts';
import type { Verdict, Veto } from '../../app/judge/verdict.ts';
import type { ProcessTable } from '../../app/process/table.ts';

/** A job with what the judge says of it. */
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

/** One look at the machine, judged. */
export interface Look {
  readonly table: ProcessTable;
  readonly sessions: readonly AgentSession[];
  /** All that registries say; left out of a look at another machine. */
  readonly directory?: SessionDirectory;
  readonly jobs: ReadonlyMap<JobId, JudgedJob>;
  /**
   * The next look is to come soon: a session that told that it ends is about to exit, or left
   * something.
   */
  readonly hurries?: true;
  /** Milliseconds that it took, without what others did between its steps. */
  readonly tookMs: number;
  /**
   * Of it processor time, of the whole process: what the look costs, however much else the machine
   * has to do. Where it is known.
   */
  readonly cpuMs?: number;
}
