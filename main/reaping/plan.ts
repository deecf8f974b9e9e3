import { ownerSaid } from '../../app/format/said.ts';
import { safeName, safeView } from '../../app/format/secrets/safe-view.ts';
import type { Decider, Intent } from '../../app/history/incident.ts';
import type { ProcessRef } from '../../app/jobs/ledger/ledger.ts';
import type { Job, RunTerms } from '../../app/model/job.ts';
import type { FirstSignalName } from '../../app/process/signal.ts';
import type { ProcessTable } from '../../app/process/table.ts';
import { agentPlan } from '../../app/reach/ending.ts';
import { graceSecondsFor, workInProgressGraceSeconds } from '../../app/reap/grace.ts';
import { type ReapingPlan, killing } from '../../app/reap/machine.ts';
import type { Settings } from '../../app/settings/settings.ts';
import { evidenceOf } from '../../app/model/evidence.ts';
import { evidenceSaid, memberSaid, sessionSaid } from '../../app/text/evidence.ts';
import { notedEvidence } from '../../app/text/noted.ts';
import { inEnglish } from '../../app/text/say.ts';
import type { JudgedJob } from '../observing/look.ts';
import { recordedProcess } from './freed.ts';
import type { ReapingOrder } from './reaping.ts';

/** On disk before the first signal: the job as found, why it is ended, and what decided. */
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
    ownerEvidence: inEnglish(sessionSaid(job.owner)),
    ...ownerSaid(job.owner.evidence, safeName),
    decidedBy: input.decidedBy,
    verdict: verdict.state,
    reasons: verdict.reasons,
    ...notedEvidence([...evidenceOf(job).map(evidenceSaid), ...job.members.map(memberSaid)]),
    processes: job.members.map(({ row }) => recordedProcess(row)),
    firstSignal: input.plan.signal,
    graceSeconds: input.plan.graceMs / 1000,
  });
};

interface Asked {
  readonly signal?: FirstSignalName;
  readonly graceSeconds?: number;
}

/** For the record of a run and for a slow machine, seconds. */
const slackSeconds = 15;

/**
 * A run is ended by its own `curfew run`, which is told with TERM and keeps its own grace; it is
 * only waited for. Then it is asked once more, and gets some seconds to kill what is left.
 */
const runPlan = ({ graceSeconds }: RunTerms): ReapingPlan => ({
  signal: 'TERM',
  graceMs: (Math.max(graceSeconds, workInProgressGraceSeconds) + slackSeconds) * 1000,
  killRounds: 10,
  killPauseMs: 500,
});

/** An agent gets time to write its session down, whatever the settings say of commands. */
const agentPlanWith = ({ signal, graceSeconds }: Asked): ReapingPlan => ({
  ...agentPlan,
  ...(signal === undefined ? {} : { signal }),
  ...(graceSeconds === undefined ? {} : { graceMs: graceSeconds * 1000 }),
});

/** How a job is reaped: by settings, or as asked; work in progress gets its time in any case. */
export const planFor = (job: Job, settings: Settings, asked: Asked = {}): ReapingPlan => {
  if (job.run !== undefined) return runPlan(job.run);
  if (job.reach !== undefined) return agentPlanWith(asked);
  return {
    signal: asked.signal ?? settings.backgroundKillSignal,
    graceMs:
      graceSecondsFor(
        job.members.map(({ row }) => row),
        asked.graceSeconds ?? settings.backgroundKillGraceSeconds,
      ) * 1000,
    ...killing,
  };
};

/** The order for what is due: by its session's word if that hastened it, else by a rule. */
export const automaticOrder = (judged: JudgedJob, settings: Settings): ReapingOrder => {
  const { job, verdict, toldEnded } = judged;
  const decidedBy = toldEnded === true && verdict.state === 'orphaned' ? 'hook' : 'rule';
  return { job: job.id, decidedBy, plan: planFor(job, settings) };
};
