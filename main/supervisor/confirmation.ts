import type { Job } from '../../app/jobs/job.ts';
import type { VetoContext } from '../../app/judge/vetoes/context.ts';
import { roleOf, vetoesOfProcess } from '../../app/judge/vetoes/vetoes-of.ts';
import type { Veto } from '../../app/judge/verdict.ts';
import { asPid } from '../../app/process/identity.ts';
import { hasEnded } from '../../app/process/row.ts';
import type { Target } from '../../app/reap/target.ts';
import type { ProcessSource } from '../os/source.ts';

/** What confirming one target immediately before a signal found. */
export type Confirmation =
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'vetoed'; readonly vetoes: readonly Veto[] };

/**
 * Reads a process again, past every cache, and asks every veto again. Called with the process already held (pidfd), immediately
 * before each signal, the last KILL included: whatever happened since the look, a process that became somebody else's is not hit.
 */
export const confirmTarget = (
  source: ProcessSource,
  context: VetoContext,
  job: Job,
  target: Target,
  startTicks: number,
): Confirmation => {
  const row = source.read(asPid(target.pid));
  if (row === null || row.startTicks !== startTicks || hasEnded(row)) return { kind: 'gone' };
  const facts = source.facts([row]).get(row.pid) ?? null;
  const vetoes = vetoesOfProcess(row, facts, roleOf(row, job, context.rows), context);
  return vetoes.length > 0 ? { kind: 'vetoed', vetoes } : { kind: 'confirmed' };
};
