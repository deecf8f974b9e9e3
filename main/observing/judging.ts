import type { Client, Job, JobId } from '../../app/jobs/model/job.ts';
import type { LedgerEntry } from '../../app/jobs/ledger/ledger.ts';
import type { AssembledJob } from '../../app/jobs/measure/assemble.ts';
import { isOfEnded, type EndedSession } from '../../app/jobs/sessions/ended-sessions.ts';
import type { Terms } from '../../app/judge/context.ts';
import { judge } from '../../app/judge/judge.ts';
import { judgeRun } from '../../app/judge/runs/run.ts';
import type { VetoContext } from '../../app/judge/veto-rule.ts';
import { vetoesOf } from '../../app/judge/vetoes/vetoes-of.ts';
import type { Steps } from '../../app/process/steps.ts';
import type { Settings } from '../../app/settings/settings.ts';
import type { Announcements } from './announcements.ts';
import type { JudgedJob } from './look.ts';

/** What the jobs of one look are judged with. */
export interface JudgingInput {
  readonly assembled: readonly AssembledJob[];
  readonly settings: Settings;
  readonly clients: ReadonlyMap<JobId, Client>;
  readonly endedSessions: readonly EndedSession[];
  readonly announcements: Pick<Announcements, 'afterVerdict'>;
  readonly vetoContext: (entry: LedgerEntry, job: Job) => VetoContext;
  /** Wall clock of the look, milliseconds. */
  readonly nowMs: number;
  /** See `ObserverTools`. */
  readonly terms?: Terms;
}

const judgeOne = ({ job: measured, entry }: AssembledJob, input: JudgingInput): JudgedJob => {
  const { settings, nowMs, terms } = input;
  const client = input.clients.get(measured.id);
  const job = client === undefined ? measured : { ...measured, client };
  const toldEnded = isOfEnded(job, input.endedSessions);
  const told = toldEnded ? ({ toldEnded } as const) : {};
  const remembered = (verdict: JudgedJob['verdict']): JudgedJob['entry'] =>
    input.announcements.afterVerdict(entry, verdict);
  if (job.run !== undefined) {
    // What the user runs under supervision may be anything, an agent too; its own `curfew run` says
    // what it spares.
    const verdict = judgeRun(job, job.run, settings, nowMs);
    return { ...told, job, vetoes: [], verdict, entry: remembered(verdict) };
  }
  const vetoes = vetoesOf(job, input.vetoContext(entry, job));
  const now: Terms | undefined = toldEnded ? { kind: 'session-said-so' } : terms;
  const verdict = judge(job, settings, { nowMs, vetoes, ...(now === undefined ? {} : { terms: now }) });
  return { ...told, job, vetoes, verdict, entry: remembered(verdict) };
};

/** What the judge says of each job, a step for each. */
export function* judgingJobs(input: JudgingInput): Steps<ReadonlyMap<JobId, JudgedJob>> {
  const judged = new Map<JobId, JudgedJob>();
  for (const one of input.assembled) {
    judged.set(one.job.id, judgeOne(one, input));
    yield;
  }
  return judged;
}
