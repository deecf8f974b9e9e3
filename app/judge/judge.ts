import type { Job } from '../jobs/model/job.ts';
import type { ServerState } from '../jobs/model/server-state.ts';
import type { Exemption, Settings } from '../settings/settings.ts';
import type { JudgeContext } from './context.ts';
import { exemptionOf } from './exemptions.ts';
import { limitsOf, nextAtMs, type Limits } from './limits.ts';
import {
  activityReason,
  diagnosisReasons,
  exemptReason,
  graceReason,
  clientReason,
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
  /** See `Terms`. */
  readonly byCommand: boolean;
  readonly saidSo: boolean;
  /** Abandoned servers of sessions are ended, and not only shown. */
  readonly endsServers: boolean;
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
    byCommand: context.terms?.kind === 'command',
    saidSo: context.terms?.kind === 'session-said-so',
    endsServers:
      settings.sessionServers === 'end' || (context.terms?.kind === 'command' && context.terms.endsServers === true),
  };
};

const deferralReasons = ({ job, keptUntilMs, exemption, limits }: Case): readonly Reason[] => [
  ...(keptUntilMs === null
    ? []
    : [reason('kept', { untilMs: keptUntilMs, leftSeconds: Math.ceil((keptUntilMs - limits.nowMs) / 1000) })]),
  ...(exemption === null ? [] : [exemptReason(exemption)]),
  ...(job.client === undefined ? [] : [clientReason(job.client)]),
];

/**
 * The owner of the job and what it does. Every verdict carries both, so that the user can judge
 * too.
 */
const circumstanceReasons = (subject: Case): readonly Reason[] => [
  ownerReason(subject.job, subject.limits),
  activityReason(subject.job, subject.limits, subject.activity),
  ...diagnosisReasons(subject.job),
];

const verdictOf = (
  subject: Case,
  [state, action, atMs]: readonly [VerdictState, VerdictAction, number | null],
  reasons: readonly Reason[],
): Verdict => ({ state, action, atMs, reasons: [...reasons, ...circumstanceReasons(subject)] });

/** From half of the max elapsed on, what is visibly stuck is worth telling, whatever its owner. */
const diagnosedAge = ({ job, limits }: Case): readonly number[] =>
  job.diagnoses.length === 0 ? [] : [limits.maxElapsedSeconds / 2];

/** What is to be ended by itself, and when. */
interface Ending {
  readonly state: VerdictState;
  /** Seconds awake until its limit is reached; none or less: it is. */
  readonly dueInSeconds: number;
  readonly reasons: readonly Reason[];
  /** Nothing is announced: its session said that it ends, or the user gave a command. */
  readonly unannounced?: boolean;
}

/**
 * An automatic end: announced `noticeSeconds` ahead, and done once the limit is reached and the
 * notice was given, whichever comes later. Until it is announced nothing happens.
 */
const endingVerdict = (subject: Case, { state, dueInSeconds, reasons, unannounced = false }: Ending): Verdict => {
  const { noticeSeconds, announcedSeconds, nowMs } = subject.limits;
  const given = unannounced ? noticeSeconds : (announcedSeconds ?? 0);
  const leftSeconds = Math.max(0, dueInSeconds, noticeSeconds - given);
  if (leftSeconds === 0 && (unannounced || announcedSeconds !== null)) {
    const agoSeconds = announcedSeconds === null || unannounced ? null : Math.round(announcedSeconds);
    const notice = agoSeconds === null ? [] : [reason('notice-given', { agoSeconds })];
    return verdictOf(subject, [state, 'reap', nowMs], [...reasons, ...notice]);
  }
  const atMs = Math.round(nowMs + leftSeconds * 1000);
  if (!unannounced && dueInSeconds <= noticeSeconds)
    return { ...verdictOf(subject, [state, 'notify', atMs], reasons), announces: true };
  const forDiagnosis = diagnosedAge(subject).some((age) => subject.limits.ageSeconds >= age);
  const said = verdictOf(subject, [state, forDiagnosis ? 'notify' : 'none', atMs], reasons);
  return forDiagnosis ? { ...said, forDiagnosis: true } : said;
};

/** Put off, exempt or in use: nothing happens below the hard cap, which spares nothing. */
const keptVerdict = (subject: Case): Verdict => {
  const { limits, keptUntilMs } = subject;
  const next = nextAtMs(limits, [limits.hardCapSeconds - limits.noticeSeconds, limits.hardCapSeconds]) ?? limits.nowMs;
  const atMs = keptUntilMs === null || subject.exemption !== null ? next : Math.min(next, keptUntilMs);
  return verdictOf(subject, ['kept', 'none', atMs], deferralReasons(subject));
};

/** The end at the hard cap is announced ahead of it too, where no earlier end is. */
const aheadOfCap = (subject: Case, wanted: Verdict): Verdict => {
  const { limits, byCommand } = subject;
  const { ageSeconds, hardCapSeconds, noticeSeconds, announcedSeconds, nowMs } = limits;
  const leftSeconds = hardCapSeconds - ageSeconds;
  if (byCommand || wanted.action === 'reap' || wanted.announces === true || leftSeconds > noticeSeconds) return wanted;
  const seconds = Math.max(leftSeconds, noticeSeconds - (announcedSeconds ?? 0));
  const { forDiagnosis: _none, ...said } = wanted;
  const cap = wanted.state === 'kept' ? [limitReason('within-limits', limits, hardCapSeconds)] : [];
  const reasons = [...wanted.reasons, ...cap];
  return { ...said, reasons, action: 'notify', atMs: Math.round(nowMs + seconds * 1000), announces: true };
};

/** Within every limit so far; the next thing happens at one of these ages. */
const withinVerdict = (subject: Case, why: Reason, limitAges: readonly number[]): Verdict => {
  const { limits } = subject;
  const forDiagnosis = diagnosedAge(subject).some((age) => limits.ageSeconds >= age);
  const ages = [...diagnosedAge(subject), ...limitAges, limits.hardCapSeconds];
  const said = verdictOf(subject, ['within', forDiagnosis ? 'notify' : 'none', nextAtMs(limits, ages)], [why]);
  return forDiagnosis ? { ...said, forDiagnosis: true } : said;
};

const pastMax = (limits: Limits): Reason => limitReason('past-max-elapsed', limits, limits.maxElapsedSeconds);

/** Past its max elapsed, and not ended for that. */
const overdueVerdict = (subject: Case): Verdict =>
  verdictOf(
    subject,
    ['overdue', 'notify', nextAtMs(subject.limits, [subject.limits.hardCapSeconds])],
    [pastMax(subject.limits)],
  );

/** Left over by its session from the first look on, with a countdown to its end. */
const ownerGoneVerdict = (subject: Case): Verdict => {
  const { limits, byCommand, saidSo } = subject;
  const { leftSeconds, ageSeconds, orphanGraceSeconds } = limits;
  // What the user commands is about age, as `--max-age` says.
  const dueInSeconds = orphanGraceSeconds - (byCommand ? ageSeconds : leftSeconds);
  return endingVerdict(subject, {
    state: 'orphaned',
    dueInSeconds,
    // Past its grace the first of the circumstances is the reason: its session has ended.
    reasons: dueInSeconds > 0 ? [graceReason(limits, dueInSeconds)] : [],
    unannounced: byCommand || saidSo,
  });
};

const ownerUnknownVerdict = (subject: Case): Verdict => {
  const { limits } = subject;
  const { ageSeconds, maxElapsedSeconds } = limits;
  if (ageSeconds >= maxElapsedSeconds) return overdueVerdict(subject);
  return withinVerdict(subject, limitReason('within-limits', limits, maxElapsedSeconds), [maxElapsedSeconds]);
};

/**
 * Whether its max elapsed ends it. A service never: to a server, silence is waiting for its next
 * request.
 */
const endsAtMaxElapsed = ({ settings, activity }: Case): boolean =>
  activity !== 'service' &&
  (settings.atMaxElapsed === 'reap' || (settings.atMaxElapsed === 'reap-silent' && activity === 'silent'));

const ownerLiveVerdict = (subject: Case): Verdict => {
  const { limits } = subject;
  const { ageSeconds, maxElapsedSeconds, noticeSeconds } = limits;
  const ends = endsAtMaxElapsed(subject);
  const leftSeconds = maxElapsedSeconds - ageSeconds;
  if (leftSeconds > 0 && !(ends && leftSeconds <= noticeSeconds)) {
    const ages = [...(ends ? [maxElapsedSeconds - noticeSeconds] : []), maxElapsedSeconds];
    return withinVerdict(subject, limitReason('within-limits', limits, maxElapsedSeconds), ages);
  }
  if (!ends) return overdueVerdict(subject);
  const young = leftSeconds > 0;
  return endingVerdict(subject, {
    state: young ? 'within' : 'overdue',
    dueInSeconds: leftSeconds,
    reasons: [young ? limitReason('within-limits', limits, maxElapsedSeconds) : pastMax(limits)],
  });
};

/** The table of the design below the hard cap, without vetoes and mode. */
const belowCapVerdict = (subject: Case): Verdict => {
  const { job } = subject;
  if (subject.keptUntilMs !== null || subject.exemption !== null) return keptVerdict(subject);
  if (job.owner.state === 'unknown') return ownerUnknownVerdict(subject);
  const wanted = job.owner.state === 'gone' ? ownerGoneVerdict(subject) : ownerLiveVerdict(subject);
  // Below the hard cap the user is not cut off from what they use.
  const ends = wanted.action === 'reap' || wanted.announces === true || job.owner.state === 'gone';
  return ends && job.client !== undefined ? keptVerdict(subject) : wanted;
};

const pastCapVerdict = (subject: Case): Verdict =>
  endingVerdict(subject, {
    state: 'past-cap',
    dueInSeconds: 0,
    reasons: [limitReason('past-hard-cap', subject.limits, subject.limits.hardCapSeconds), ...deferralReasons(subject)],
    // What its session left that said that it ends would be ended just below the cap too.
    unannounced: subject.byCommand || (subject.saidSo && belowCapVerdict(subject).action === 'reap'),
  });

/** Nothing comes of it by itself, at no age. */
const spared = (subject: Case, state: 'within' | 'kept' | 'orphaned', reasons: readonly Reason[]): Verdict =>
  verdictOf(subject, [state, 'none', null], reasons);

/**
 * A server of a session. That of a living one is within every limit. One that is abandoned ends
 * like other leftovers; what can't be told for certain is shown and never ended, also not by the
 * hard cap.
 */
const serverVerdict = (subject: Case, server: ServerState): Verdict => {
  const { job } = subject;
  switch (server.standing) {
    case 'living':
      return spared(subject, 'within', [reason('server-of-session')]);
    case 'reported':
      return spared(
        subject,
        'kept',
        [...server.why].map((why) => reason('server-reported', { why })),
      );
    case 'abandoned': {
      const deferred = deferralReasons(subject);
      if (deferred.length > 0) return spared(subject, 'kept', deferred);
      if (job.owner.state !== 'gone')
        return spared(subject, 'kept', [reason('server-reported', { why: 'owner-unknown' })]);
      if (!subject.endsServers) return spared(subject, 'orphaned', [reason('servers-shown')]);
      const wanted = ownerGoneVerdict(subject);
      return { ...wanted, reasons: [...wanted.reasons, reason('closed-ends')] };
    }
  }
};

/** The whole table. The hard cap comes first: nothing below it is ever asked when it is reached. */
const byTable = (subject: Case): Verdict =>
  subject.job.server !== undefined
    ? serverVerdict(subject, subject.job.server)
    : subject.limits.ageSeconds >= subject.limits.hardCapSeconds
      ? pastCapVerdict(subject)
      : aheadOfCap(subject, belowCapVerdict(subject));

/** A protected job is never signalled; past the hard cap the user is told of it instead. */
const underVetoes = (wanted: Verdict, limits: Limits, context: JudgeContext): Verdict => {
  if (context.vetoes.length === 0) return wanted;
  const action = wanted.state === 'past-cap' ? 'notify' : 'none';
  const reasons = [...vetoReasons(context.vetoes), ...wanted.reasons];
  return { state: 'protected', action, atMs: nextAtMs(limits, [limits.hardCapSeconds]), reasons };
};

/**
 * In the mode observe, Curfew says what it would have ended. The only thing that weakens the hard
 * cap.
 */
const underMode = (wanted: Verdict, limits: Limits, settings: Settings): Verdict => {
  const { announces, ...said } = wanted;
  if (settings.mode === 'enforce' || (wanted.action !== 'reap' && announces !== true)) return wanted;
  const observing = reason('observe-mode', { chosen: settings.mode === null ? 'no' : 'yes' });
  // Nothing is announced where nothing comes: a switch to enforce starts the whole notice.
  const past = wanted.state === 'past-cap' || wanted.state === 'orphaned' || wanted.state === 'overdue';
  const atMs = past ? nextAtMs(limits, [limits.hardCapSeconds]) : wanted.atMs;
  return { ...said, action: 'notify', atMs, reasons: [observing, ...wanted.reasons] };
};

/**
 * What becomes of a job now: state, action, the next moment and why, the weightiest reason first.
 * Pure and total: never throws, whatever the job. Promises: a veto wins over everything, an unknown
 * owner is never reaped below the hard cap, nothing but observing weakens the hard cap, with
 * everything else equal a longer age never gives a milder action, and nothing is reaped whose end
 * was not announced a whole notice before, but by the word of its session or of the user.
 */
export const judge = (job: Job, settings: Settings, context: JudgeContext): Verdict => {
  const subject = caseOf(job, settings, context);
  return underMode(underVetoes(byTable(subject), subject.limits, context), subject.limits, settings);
};
