import type { ProcessRow } from '../../process/row.ts';
import type { Reach } from '../../model/reach.ts';
import type { LedgerEntry, SeenAgent } from '../ledger/ledger.ts';
import type { JobBasis, Member, Owner, RunTerms } from '../../model/job.ts';
import type { ServerState } from '../../model/server-state.ts';

/** A job as table, markers, ledger and registries tell; what its members hold is read next. */
export interface Draft extends JobBasis {
  /** The tool call's text from its living shell, with secrets; never kept. null: not shown. */
  readonly script: string | null;
  /** null: it was given none. */
  readonly name: string | null;
  /** null: it was not started with `curfew run`. */
  readonly run: RunTerms | null;
  readonly reach?: Reach;
  readonly projectSlug: string | null;
  /** Where argv or the environment name the project, or the registry knows the session's. */
  readonly project: string | null;
  readonly root: ProcessRow;
  readonly members: readonly Member[];
  /** Process groups and kernel sessions that are the job's own. */
  readonly groups: readonly number[];
  readonly kernelSessions: readonly number[];
  readonly owner: Owner;
  /** Why a part of it is the user's, whatever witnessed the rest. Left out: nothing says so. */
  readonly users?: string;
  /** See `LedgerEntry`. Left out of runs and servers. */
  readonly numbers?: readonly number[];
  readonly couldOwn: readonly SeenAgent[];
  /** Start of the tool call, in the ticks of the table. */
  readonly startTicks: number;
  readonly entry: LedgerEntry | null;
  /** Set for a server of a session. */
  readonly server?: ServerState;
}
