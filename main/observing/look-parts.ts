import type { JobProbe } from '../../app/diagnose/probe.ts';
import type { Draft } from '../../app/jobs/find/draft.ts';
import type { FoundHere } from '../../app/jobs/find/find-jobs.ts';
import type { LedgerEntry } from '../../app/jobs/ledger/ledger.ts';
import type { Spared } from '../../app/jobs/spared/spared.ts';
import type { Witness } from '../../app/jobs/lineage/witness.ts';
import type { AssembledJob } from '../../app/jobs/measure/assemble.ts';
import type { JobId } from '../../app/model/job.ts';
import type { SessionDirectory } from '../../app/model/session.ts';
import type { EndedSession } from '../../app/jobs/sessions/ended-sessions.ts';
import type { Verdict } from '../../app/judge/verdict.ts';
import type { MemberFacts } from '../../app/process/facts.ts';
import type { ProcessTable } from '../../app/process/table.ts';
import type { Settings } from '../../app/settings/settings.ts';
import type { harmlessSockets } from './clients.ts';
import type { JudgedJob } from './look.ts';

/** What one look has read so far. */
export interface Scan {
  readonly settings: Settings;
  readonly table: ProcessTable;
  readonly directory: SessionDirectory;
  /** Entries of this boot as they were loaded. */
  readonly known: readonly LedgerEntry[];
  readonly drafts: readonly Draft[];
  readonly serving: FoundHere['serving'];
  readonly spared: Spared;
  /** What earlier looks saw, and what is to be remembered after this one. */
  readonly before: readonly Witness[];
  readonly witnesses: readonly Witness[];
  readonly facts: ReadonlyMap<number, MemberFacts>;
  /** Where the facts are from: see `ProcessSource.readingFacts`. */
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

/** The end of a job is announced, or due. */
export const isDecision = ({ action, announces }: Verdict): boolean => action === 'reap' || announces === true;

export type HarmlessSockets = ReturnType<typeof harmlessSockets>;
