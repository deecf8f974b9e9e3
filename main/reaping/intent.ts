import { ownerSaid } from '../../app/format/said.ts';
import { safeName, safeView } from '../../app/format/secrets/safe-view.ts';
import type { Decider, Intent } from '../../app/history/incident.ts';
import type { ProcessRef } from '../../app/jobs/ledger/ledger.ts';
import type { ReapingPlan } from '../../app/reap/machine.ts';
import type { ProcessTable } from '../../app/process/table.ts';
import { memberSentence, ownerSentence, proofSentence, provenanceSentence } from '../../app/text/evidence.ts';
import { recordedProcess } from './freed.ts';
import type { JudgedJob } from '../observing/look.ts';

/**
 * What goes on disk before the first signal: the job as it was found, why it is ended, and what
 * decided.
 */
export const intentOf = (input: {
  readonly id: string;
  readonly nowMs: number;
  /** `local`, or the name of another machine. */
  readonly host: string;
  readonly table: ProcessTable;
  readonly writer: ProcessRef;
  readonly judged: JudgedJob;
  readonly decidedBy: Decider;
  readonly plan: ReapingPlan;
}): Intent => {
  const { job, verdict } = input.judged;
  return safeView<Intent>({
    id: input.id,
    atMs: input.nowMs,
    host: input.host,
    bootId: input.table.bootId,
    writer: input.writer,
    job: job.id,
    agent: job.agent,
    rule: job.rule,
    command: job.command,
    project: job.project,
    session: job.session,
    task: job.task,
    output: job.output,
    ageSeconds: Math.round(job.ageSeconds),
    owner: job.owner.state,
    ownerEvidence: ownerSentence(job.owner),
    ...ownerSaid(job.owner.evidence, safeName),
    decidedBy: input.decidedBy,
    verdict: verdict.state,
    reasons: verdict.reasons,
    evidence: [proofSentence(job.proof), ...job.provenance.map(provenanceSentence), ...job.members.map(memberSentence)],
    processes: job.members.map(({ row }) => recordedProcess(row)),
    firstSignal: input.plan.signal,
    graceSeconds: input.plan.graceMs / 1000,
  });
};
