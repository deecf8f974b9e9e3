import type { Job } from '../../app/jobs/model/job.ts';
import type { VetoContext } from '../../app/judge/veto-rule.ts';
import { roleOf, vetoesOfProcess } from '../../app/judge/vetoes/vetoes-of.ts';
import type { Veto } from '../../app/judge/verdict.ts';
import { asPid } from '../../app/process/identity.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import { hasEnded, isSameLivingProcess } from '../../app/process/row.ts';
import type { Target } from '../../app/reap/target.ts';
import type { ProcessSource } from '../os/processes/source.ts';

/** What confirming one target immediately before a signal found. */
export type Confirmation =
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'vetoed'; readonly vetoes: readonly Veto[] };

const vetoesNow = (source: ProcessSource, context: VetoContext, job: Job, row: ProcessRow): readonly Veto[] =>
  vetoesOfProcess(row, source.facts([row]).get(row.pid) ?? null, roleOf(row, job, context.rows), context);

/**
 * Reads a process again, past every cache, and asks every veto again. Called with the process
 * already held (pidfd), immediately before each signal, the last KILL included: whatever happened
 * since the look, a pid that became another process's is not hit.
 */
export const confirmTarget = (
  source: ProcessSource,
  context: VetoContext,
  job: Job,
  target: Target,
  startTicks: number,
): Confirmation => {
  const row = source.read(asPid(target.pid));
  if (!isSameLivingProcess(row, { startTicks })) return { kind: 'gone' };
  const vetoes = vetoesNow(source, context, job, row);
  return vetoes.length > 0 ? { kind: 'vetoed', vetoes } : { kind: 'confirmed' };
};

/**
 * Whether a group still is what was judged: every process that came into it since the look is read
 * and asked every veto as well. A signal to the group would reach it: a child of the job that was
 * started with CURFEW_KEEP=1 while the intent went to disk was sent TERM. Gives the newcomers, or
 * null where one of them may not be signalled or where it can't be told which came.
 */
export const confirmGroup = (
  source: ProcessSource,
  context: VetoContext,
  job: Job,
  pgid: number,
  judged: readonly Target[],
): readonly ProcessRow[] | null => {
  const known = new Set(judged.map(({ pid }) => pid));
  const newcomers = source
    .startedSinceScan?.()
    ?.filter((row) => row.pgid === pgid && !known.has(row.pid) && !hasEnded(row));
  if (newcomers === undefined) return null;
  return newcomers.every((row) => vetoesNow(source, context, job, row).length === 0) ? newcomers : null;
};
