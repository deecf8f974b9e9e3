import type { Job, RunTerms } from '../../model/job.ts';
import type { Settings } from '../../settings/settings.ts';
import { limitsOf, nextAtMs } from '../limits.ts';
import { activityReason, diagnosisReasons, limitReason, reason, toldAge } from '../reasons.ts';
import type { Reason, Verdict, VerdictAction, VerdictState } from '../verdict.ts';

/** The settings, with the run's own limits in the place of theirs. */
const withTerms = (settings: Settings, run: RunTerms): Settings => ({
  ...settings,
  backgroundMaxElapsedSecondsHardCap: run.hardCapSeconds,
  backgroundMaxElapsedSeconds: run.maxElapsedSeconds ?? run.hardCapSeconds,
});

/**
 * What is to be said of a job that was started with `curfew run`. Its own `curfew run` ends it, at
 * its own limits, so the action is never `reap`: two who end the same job would be one too many.
 * The user is told only where the run itself says nothing: when a limit of the settings comes that
 * they did not ask for themselves, and of what is visibly stuck.
 */
export const judgeRun = (job: Job, run: RunTerms, settings: Settings, nowMs: number): Verdict => {
  const limits = limitsOf(job, withTerms(settings, run), { nowMs, vetoes: [] });
  const { ageSeconds, maxElapsedSeconds, hardCapSeconds, noticeSeconds, quietWindowSeconds, silentSeconds } = limits;
  const serves = job.kind === 'service' || job.holds.ports.length > 0;
  const activity = serves ? 'service' : silentSeconds >= quietWindowSeconds ? 'silent' : 'working';
  const verdict = (state: VerdictState, action: VerdictAction, ages: readonly number[], why: Reason): Verdict => ({
    state,
    action,
    atMs: nextAtMs(limits, [...ages, hardCapSeconds]),
    reasons: [
      why,
      reason('own-limits', { state: job.owner.state, run: run.id }),
      activityReason(job, limits, activity),
      ...diagnosisReasons(job),
    ],
  });
  const past = ageSeconds >= maxElapsedSeconds;
  const limit = limitReason(past ? 'past-max-elapsed' : 'within-limits', limits, maxElapsedSeconds);
  if (job.owner.state === 'gone') return verdict('orphaned', 'none', [], limit);
  if (ageSeconds >= hardCapSeconds)
    return verdict('past-cap', 'none', [], limitReason('past-hard-cap', limits, hardCapSeconds));
  if (job.keptUntilMs !== null && job.keptUntilMs > nowMs) {
    const leftSeconds = Math.ceil((job.keptUntilMs - nowMs) / 1000);
    return verdict(
      'kept',
      'none',
      [ageSeconds + leftSeconds],
      reason('kept', { untilMs: job.keptUntilMs, leftSeconds }),
    );
  }
  if (past) return verdict('overdue', run.atMaxElapsed === 'always' ? 'none' : 'notify', [], limit);
  // Told ahead of an end that was not asked for, where one comes.
  const ends = run.atMaxElapsed === 'reap' || (run.atMaxElapsed === 'reap-silent' && activity === 'silent');
  const forEnd = ends && ageSeconds >= maxElapsedSeconds - noticeSeconds;
  const told = toldAge(job, maxElapsedSeconds);
  const forDiagnosis = told.some((age) => ageSeconds >= age);
  const ages = [...(ends ? [maxElapsedSeconds - noticeSeconds] : []), ...told, maxElapsedSeconds];
  const said = verdict('within', forEnd || forDiagnosis ? 'notify' : 'none', ages, limit);
  return forDiagnosis && !forEnd ? { ...said, forDiagnosis: true } : said;
};
