import type { Job } from '../jobs/job.ts';
import type { Exemption, Settings } from '../settings/settings.ts';
import type { JudgeContext } from './context.ts';
import { exemptionOf } from './exemptions.ts';
import { limitsOf, nextAtMs, type Limits } from './limits.ts';
import {
  activityReason,
  diagnosisReasons,
  exemptReason,
  inUseReason,
  limitReason,
  ownerReason,
  reason,
  vetoReasons,
} from './reasons.ts';
import type { Reason, Verdict, VerdictAction, VerdictState } from './verdict.ts';

/** Everything the rules below look at, worked out once. */
interface Case {
  readonly job: Job;
  readonly settings: Settings;
  readonly limits: Limits;
  readonly activity: 'service' | 'silent' | 'working';
  /** End of a keep that still holds, wall clock in milliseconds. */
  readonly keptUntilMs: number | null;
  readonly exemption: Exemption | null;
}

const caseOf = (job: Job, settings: Settings, context: JudgeContext): Case => {
  const limits = limitsOf(job, settings, context);
  const serves = job.kind === 'service' || job.holds.ports.length > 0;
  const silent = limits.silentSeconds >= limits.quietWindowSeconds;
  const kept = job.keptUntilMs !== null && job.keptUntilMs > limits.nowMs;
  return {
    job,
    settings,
    limits,
    activity: serves ? 'service' : silent ? 'silent' : 'working',
    keptUntilMs: kept ? job.keptUntilMs : null,
    exemption: exemptionOf(settings.exemptions, job),
  };
};

const spared = ({ job, keptUntilMs, exemption, limits }: Case): readonly Reason[] => [
  ...(keptUntilMs === null
    ? []
    : [reason('kept', { untilMs: keptUntilMs, leftSeconds: Math.ceil((keptUntilMs - limits.nowMs) / 1000) })]),
  ...(exemption === null ? [] : [exemptReason(exemption)]),
  ...(job.inUse === undefined ? [] : [inUseReason(job.inUse)]),
];

/** What follows from the job being itself: its owner and what it does. Every verdict carries it, so that a person can judge too. */
const circumstances = (subject: Case): readonly Reason[] => [
  ownerReason(subject.job, subject.limits),
  activityReason(subject.job, subject.limits, subject.activity),
  ...diagnosisReasons(subject.job),
];

const verdict = (
  subject: Case,
  [state, action, atMs]: readonly [VerdictState, VerdictAction, number | null],
  reasons: readonly Reason[],
): Verdict => ({ state, action, atMs, reasons: [...reasons, ...circumstances(subject)] });

const pastCap = (subject: Case): Verdict => {
  const { limits } = subject;
  return verdict(
    subject,
    ['past-cap', 'reap', limits.nowMs],
    [limitReason('past-hard-cap', limits, limits.hardCapSeconds), ...spared(subject)],
  );
};

/** Put off, exempt or used by somebody: nothing happens, but somebody is told before the hard cap, which spares nobody. */
const kept = (subject: Case): Verdict => {
  const { limits, keptUntilMs } = subject;
  const noticeAge = limits.hardCapSeconds - limits.noticeSeconds;
  const telling = limits.ageSeconds >= noticeAge;
  const next = nextAtMs(limits, [noticeAge, limits.hardCapSeconds]) ?? limits.nowMs;
  const atMs = keptUntilMs === null || subject.exemption !== null ? next : Math.min(next, keptUntilMs);
  return verdict(
    subject,
    ['kept', telling ? 'notify' : 'none', atMs],
    [...spared(subject), ...(telling ? [limitReason('within-limits', limits, limits.hardCapSeconds)] : [])],
  );
};

/** From half of the max elapsed on, what is visibly stuck is worth telling, whatever its owner. */
const diagnosedAge = ({ job, limits }: Case): readonly number[] =>
  job.diagnoses.length === 0 ? [] : [limits.maxElapsedSeconds / 2];

/** Within every limit so far. `tellAges` are the ages, besides a diagnosis', from which somebody is told. */
const within = (subject: Case, why: Reason, tellAges: readonly number[], limitAges: readonly number[]): Verdict => {
  const { limits } = subject;
  const isPast = (age: number): boolean => limits.ageSeconds >= age;
  const forEnd = tellAges.some(isPast);
  const forDiagnosis = diagnosedAge(subject).some(isPast);
  const ages = [...tellAges, ...diagnosedAge(subject), ...limitAges, limits.hardCapSeconds];
  const said = verdict(subject, ['within', forEnd || forDiagnosis ? 'notify' : 'none', nextAtMs(limits, ages)], [why]);
  return forDiagnosis && !forEnd ? { ...said, forDiagnosis: true } : said;
};

const overdue = (subject: Case, action: VerdictAction, atMs: number | null, extra: readonly Reason[] = []): Verdict =>
  verdict(
    subject,
    ['overdue', action, atMs],
    [limitReason('past-max-elapsed', subject.limits, subject.limits.maxElapsedSeconds), ...extra],
  );

const ownerGone = (subject: Case): Verdict => {
  const { limits } = subject;
  const { ageSeconds, orphanGraceSeconds, maxElapsedSeconds, hardCapSeconds } = limits;
  if (ageSeconds >= orphanGraceSeconds) {
    // The first of the circumstances is the reason: its session has ended.
    return verdict(subject, ['orphaned', 'reap', limits.nowMs], []);
  }
  const grace = limitReason('within-orphan-grace', limits, orphanGraceSeconds);
  if (ageSeconds < maxElapsedSeconds) return within(subject, grace, [], [orphanGraceSeconds, maxElapsedSeconds]);
  return overdue(subject, 'notify', nextAtMs(limits, [orphanGraceSeconds, hardCapSeconds]), [grace]);
};

const ownerUnknown = (subject: Case): Verdict => {
  const { limits } = subject;
  const { ageSeconds, maxElapsedSeconds, hardCapSeconds } = limits;
  if (ageSeconds >= maxElapsedSeconds) return overdue(subject, 'notify', nextAtMs(limits, [hardCapSeconds]));
  return within(subject, limitReason('within-limits', limits, maxElapsedSeconds), [], [maxElapsedSeconds]);
};

/** Whether its max elapsed ends it. A service never: to a server, silence is waiting for its next request. */
const endsAtMaxElapsed = ({ settings, activity }: Case): boolean =>
  activity !== 'service' &&
  (settings.atMaxElapsed === 'reap' || (settings.atMaxElapsed === 'reap-silent' && activity === 'silent'));

const ownerLive = (subject: Case): Verdict => {
  const { job, limits, activity } = subject;
  const { ageSeconds, maxElapsedSeconds, noticeSeconds, hardCapSeconds, nowMs } = limits;
  const ends = endsAtMaxElapsed(subject);
  if (ageSeconds < maxElapsedSeconds) {
    const ahead = ends ? [maxElapsedSeconds - noticeSeconds] : [];
    return within(subject, limitReason('within-limits', limits, maxElapsedSeconds), ahead, [maxElapsedSeconds]);
  }
  if (!ends) return overdue(subject, 'notify', nextAtMs(limits, [hardCapSeconds]));
  // A keep that ran out was the last the person heard of it, so the notice counts from there. What they heard while it worked was that
  // it goes on: for its silence it counts from when it fell silent.
  const silentAtMs = activity === 'silent' ? nowMs - (limits.silentSeconds - limits.quietWindowSeconds) * 1000 : null;
  const toldAtMs =
    job.noticedAtMs === null
      ? null
      : Math.max(job.noticedAtMs, job.keptUntilMs ?? job.noticedAtMs, silentAtMs ?? job.noticedAtMs);
  const endAtMs = (toldAtMs ?? nowMs) + noticeSeconds * 1000;
  if (toldAtMs === null || endAtMs > nowMs) {
    return overdue(subject, 'notify', Math.min(endAtMs, nextAtMs(limits, [hardCapSeconds]) ?? endAtMs));
  }
  return overdue(subject, 'reap', nowMs, [
    reason('notice-given', { agoSeconds: Math.round((nowMs - toldAtMs) / 1000) }),
  ]);
};

/** The table of the design, without vetoes and mode. The hard cap comes first: nothing below it is ever asked when it is reached. */
const byTable = (subject: Case): Verdict => {
  const { job, limits } = subject;
  if (limits.ageSeconds >= limits.hardCapSeconds) return pastCap(subject);
  if (subject.keptUntilMs !== null || subject.exemption !== null) return kept(subject);
  if (job.owner.state === 'unknown') return ownerUnknown(subject);
  const wanted = job.owner.state === 'gone' ? ownerGone(subject) : ownerLive(subject);
  // Below the hard cap nobody is cut off from what they use.
  return wanted.action === 'reap' && job.inUse !== undefined ? kept(subject) : wanted;
};

/** A protected job is never signalled; past the hard cap the person is told of it instead. */
const underVetoes = (wanted: Verdict, limits: Limits, context: JudgeContext): Verdict => {
  if (context.vetoes.length === 0) return wanted;
  const action = wanted.state === 'past-cap' ? 'notify' : 'none';
  const reasons = [...vetoReasons(context.vetoes), ...wanted.reasons];
  return { state: 'protected', action, atMs: nextAtMs(limits, [limits.hardCapSeconds]), reasons };
};

/** Observing, Curfew tells where it would have ended. The only thing that weakens the hard cap. */
const underMode = (wanted: Verdict, limits: Limits, settings: Settings): Verdict => {
  if (settings.mode === 'enforce' || wanted.action !== 'reap') return wanted;
  const observing = reason('observe-mode', { chosen: settings.mode === null ? 'no' : 'yes' });
  const atMs = nextAtMs(limits, [limits.hardCapSeconds]);
  return { ...wanted, action: 'notify', atMs, reasons: [observing, ...wanted.reasons] };
};

/**
 * What becomes of a job now: state, action, the next moment and why, the weightiest reason first. Pure and total: never throws,
 * whatever the job. Promises: a veto wins over everything, an unknown owner is never reaped below the hard cap, nothing but
 * observing weakens the hard cap, and with everything else equal a longer age never gives a milder action.
 */
export const judge = (job: Job, settings: Settings, context: JudgeContext): Verdict => {
  const subject = caseOf(job, settings, context);
  return underMode(underVetoes(byTable(subject), subject.limits, context), subject.limits, settings);
};
