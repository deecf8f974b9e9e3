import type { Job } from '../../app/model/job.ts';
import { isStillAbandoned } from '../../app/jobs/measure/still-abandoned.ts';
import { veto, type VetoContext } from '../../app/judge/veto-rule.ts';
import { roleOf, vetoesOfProcess } from '../../app/judge/vetoes/vetoes-of.ts';
import type { Veto } from '../../app/judge/verdict.ts';
import { asPid } from '../../app/process/identity.ts';
import { type ProcessRow, hasEnded, isSameLivingProcess } from '../../app/process/row.ts';
import type { Target } from '../../app/reap/target.ts';
import type { ProcessSource } from '../os/processes/source.ts';

export type Confirmation =
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'vetoed'; readonly vetoes: readonly Veto[] };

const vetoesNow = (source: ProcessSource, context: VetoContext, job: Job, row: ProcessRow): readonly Veto[] =>
  vetoesOfProcess(row, source.facts([row]).get(row.pid) ?? null, roleOf(row, job, context.rows), context);

/**
 * Asks again whether no process can speak to one of an abandoned server, past every cache. What
 * can't be seen counts as spoken to.
 */
const speakingVeto = (source: ProcessSource, { rows }: VetoContext, job: Job, row: ProcessRow): Veto | null => {
  const round = source.channels?.();
  const facts = source.facts([row]).get(row.pid);
  const sockets = source.sockets ?? source.probing;
  if (round === undefined || facts === undefined || sockets === undefined) return veto('server-in-use', row);
  const asked = { pid: row.pid, files: facts.openFiles, ports: new Set(facts.ports) };
  const clients = sockets.possibleClients([asked]).flat();
  return isStillAbandoned(row, { job, rows, round, clients }) ? null : veto('server-in-use', row);
};

/**
 * Reads a process again, past every cache, and asks every veto again. Called with the process
 * already held (pidfd), immediately before each signal, the last KILL included: whatever happened
 * since the look, a pid that became another process's is not hit.
 * @param abandoned it is of a server that is ended because no process can speak to it
 */
export const confirmTarget = (
  source: ProcessSource,
  context: VetoContext,
  job: Job,
  target: Target,
  startTicks: number,
  abandoned = false,
): Confirmation => {
  const row = source.read(asPid(target.pid));
  if (!isSameLivingProcess(row, { startTicks })) return { kind: 'gone' };
  const spoken = abandoned ? speakingVeto(source, context, job, row) : null;
  const vetoes = [...vetoesNow(source, context, job, row), ...(spoken === null ? [] : [spoken])];
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
