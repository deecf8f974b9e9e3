import type { Job, RunTerms } from '../../app/model/job.ts';
import { graceSecondsFor, workInProgressGraceSeconds } from '../../app/reap/grace.ts';
import { type ReapingPlan, killing } from '../../app/reap/machine.ts';
import { agentPlan } from '../../app/reach/ending.ts';
import type { FirstSignalName } from '../../app/process/signal.ts';
import type { Settings } from '../../app/settings/settings.ts';
import type { JudgedJob } from '../observing/look.ts';
import type { ReapingOrder } from './reaping.ts';

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

/**
 * How a job is reaped: by the settings, or as the caller asked; work in progress gets its time in
 * either case.
 */
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

/**
 * The order to end what is due by itself: decided by its session's own word where that made it due
 * before its time, else by a rule.
 */
export const automaticOrder = (judged: JudgedJob, settings: Settings): ReapingOrder => {
  const { job, verdict, toldEnded } = judged;
  const decidedBy = toldEnded === true && verdict.state === 'orphaned' ? 'hook' : 'rule';
  return { job: job.id, decidedBy, plan: planFor(job, settings) };
};
