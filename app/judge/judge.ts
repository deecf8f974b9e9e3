import type { Client, Job } from '../model/job.ts';
import { freeHelperSeconds, type ServerState } from '../model/server-state.ts';
import type { Settings } from '../settings/settings.ts';
import { type Case, deferralReasons, diagnosedAge, verdictOf, caseOf } from './case.ts';
import type { JudgeContext } from './context.ts';
import { askedForCase, hasNoOwnerLeft, witnessedCase, type EndableCase } from './endable.ts';
import { endingVerdict, ownerGoneVerdict } from './endings.ts';
import { nextAtMs, type Limits } from './limits.ts';
import { graceReason, limitReason, reason, clientReason, vetoReasons } from './reasons.ts';
import { underLoss } from './under-loss.ts';
import type { Reason, Verdict } from './verdict.ts';

/** Put off, exempt or in use: it is not even told. */
const sparedVerdict = (subject: Case, deferred: readonly Reason[]): Verdict =>
  verdictOf(subject, ['kept', 'none', subject.keptUntilMs], [...deferred, reason('claimed')]);

/**
 * A job that only marks name: it is never ended by itself, at no age. The user is told once it is
 * past its max elapsed. Once nothing that lives could own it, it is probably left over, and the
 * user's own command may end it.
 */
const claimedVerdict = (subject: Case): Verdict => {
  const { limits, job } = subject;
  const { ageSeconds, maxElapsedSeconds, hardCapSeconds, orphanGraceSeconds } = limits;
  const left = hasNoOwnerLeft(subject) && (job.server === undefined || job.server.standing === 'abandoned');
  const deferred = deferralReasons(subject);
  if (deferred.length > 0 && (left || subject.keptUntilMs !== null || subject.exemption !== null))
    return sparedVerdict(subject, deferred);
  const asked = left ? askedForCase(subject) : null;
  if (asked !== null) {
    const dueInSeconds = orphanGraceSeconds - ageSeconds;
    const grace = dueInSeconds > 0 ? [graceReason(limits, dueInSeconds)] : [];
    const reasons = [...grace, reason('claimed')];
    return endingVerdict(asked, { state: 'probable', dueInSeconds, reasons, unannounced: true });
  }
  const past = ageSeconds >= maxElapsedSeconds;
  const limit = limitReason(past ? 'past-max-elapsed' : 'within-limits', limits, maxElapsedSeconds);
  const forDiagnosis = !past && diagnosedAge(subject).some((age) => ageSeconds >= age);
  const atMs = nextAtMs(limits, [...diagnosedAge(subject), maxElapsedSeconds, hardCapSeconds]);
  const said = verdictOf(
    subject,
    [left ? 'probable' : past ? 'overdue' : 'within', past || forDiagnosis ? 'notify' : 'none', atMs],
    left ? [reason('claimed'), limit] : [limit, reason('claimed')],
  );
  return forDiagnosis ? { ...said, forDiagnosis: true } : said;
};

/** Nothing comes of it by itself, at no age. */
const spared = (
  subject: Case,
  state: 'within' | 'kept' | 'orphaned' | 'probable',
  reasons: readonly Reason[],
): Verdict => verdictOf(subject, [state, 'none', null], reasons);

/**
 * A server of a session. That of a living one is within every limit. One that is abandoned ends
 * like other leftovers. One that its living agent replaced is left over and only shown, and so is a
 * detached helper without a client for hours, and what can't be told for certain: none is ever
 * ended automatically, not even by the hard cap.
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
    case 'detached': {
      const deferred = deferralReasons(subject);
      const own = server.why.map((why) => reason('server-reported', { why }));
      if (deferred.length > 0) return spared(subject, 'kept', [...deferred, ...own]);
      const free = reason('server-detached', { ageSeconds: server.freeSeconds, limitSeconds: freeHelperSeconds });
      if (server.freeSeconds < freeHelperSeconds) return spared(subject, 'kept', [...own, free]);
      return spared(subject, witnessedCase(subject) === null ? 'probable' : 'orphaned', [free]);
    }
    case 'replaced': {
      const deferred = deferralReasons(subject);
      return deferred.length > 0
        ? spared(subject, 'kept', deferred)
        : spared(subject, witnessedCase(subject) === null ? 'probable' : 'orphaned', [reason('server-replaced')]);
    }
    case 'abandoned': {
      const deferred = deferralReasons(subject);
      if (deferred.length > 0) return spared(subject, 'kept', deferred);
      if (job.owner.state !== 'gone')
        return spared(subject, 'kept', [reason('server-reported', { why: 'owner-unknown' })]);
      if (!subject.endsServers) return spared(subject, 'orphaned', [reason('servers-shown')]);
      const endable = witnessedCase(subject);
      if (endable === null) return claimedVerdict(subject);
      const wanted = ownerGoneVerdict(endable);
      return { ...wanted, reasons: [...wanted.reasons, reason('closed-ends')] };
    }
  }
};

/** Put off, exempt or in use: nothing happens below the hard cap, which spares nothing. */
const keptVerdict = (subject: Case): Verdict => {
  const { limits, keptUntilMs } = subject;
  const next = nextAtMs(limits, [limits.hardCapSeconds - limits.noticeSeconds, limits.hardCapSeconds]) ?? limits.nowMs;
  const atMs = keptUntilMs === null || subject.exemption !== null ? next : Math.min(next, keptUntilMs);
  return verdictOf(subject, ['kept', 'none', atMs], deferralReasons(subject));
};

/** A program of the user is connected to it, so the user is asked before the hard cap ends it. */
const asksAtCap = ({ job, settings }: Case): boolean =>
  settings.inUseAtHardCap === 'ask' && job.client !== undefined && job.client.byAgent !== true;

/** The end at the hard cap is announced ahead of it too, where no earlier end is. */
const aheadOfCap = (subject: Case, wanted: Verdict): Verdict => {
  if (asksAtCap(subject)) return wanted;
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

const ownerUnknownVerdict = (subject: Case): Verdict => {
  const { limits } = subject;
  const { ageSeconds, maxElapsedSeconds } = limits;
  if (ageSeconds >= maxElapsedSeconds) return overdueVerdict(subject);
  return withinVerdict(subject, limitReason('within-limits', limits, maxElapsedSeconds), [maxElapsedSeconds]);
};

/** Whether max elapsed ends it. A service never: a server's silence awaits a request. */
const endsAtMaxElapsed = ({ settings, activity }: Case): boolean =>
  activity !== 'service' &&
  (settings.atMaxElapsed === 'reap' || (settings.atMaxElapsed === 'reap-silent' && activity === 'silent'));

const ownerLiveVerdict = (subject: EndableCase): Verdict => {
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
const belowCapVerdict = (subject: EndableCase): Verdict => {
  const { job } = subject;
  if (subject.keptUntilMs !== null || subject.exemption !== null) return keptVerdict(subject);
  if (job.owner.state === 'unknown') return ownerUnknownVerdict(subject);
  const wanted = job.owner.state === 'gone' ? ownerGoneVerdict(subject) : ownerLiveVerdict(subject);
  // Below the hard cap the user is not cut off from what they use.
  const ends = wanted.action === 'reap' || wanted.announces === true || job.owner.state === 'gone';
  return ends && job.client !== undefined ? keptVerdict(subject) : wanted;
};

const pastCapVerdict = (subject: EndableCase): Verdict => {
  const { limits } = subject;
  const reasons = [limitReason('past-hard-cap', limits, limits.hardCapSeconds), ...deferralReasons(subject)];
  if (asksAtCap(subject)) return verdictOf(subject, ['past-cap', 'notify', null], [...reasons, reason('asked-at-cap')]);
  return endingVerdict(subject, {
    state: 'past-cap',
    dueInSeconds: 0,
    reasons,
    // What its session left that said that it ends would be ended just below the cap too.
    unannounced: subject.byCommand || (subject.saidSo && belowCapVerdict(subject).action === 'reap'),
  });
};

/**
 * The whole table. Proof is asked before the owner. Then the hard cap comes first: nothing below it
 * is ever asked when it is reached.
 */
const byTable = (subject: Case): Verdict => {
  if (subject.job.server !== undefined) return serverVerdict(subject, subject.job.server);
  const endable = witnessedCase(subject);
  if (endable === null) return claimedVerdict(subject);
  return subject.limits.ageSeconds >= subject.limits.hardCapSeconds
    ? pastCapVerdict(endable)
    : aheadOfCap(subject, belowCapVerdict(endable));
};

/** A protected job is never signalled; past the hard cap the user is told of it instead. */
const underVetoes = (wanted: Verdict, limits: Limits, context: JudgeContext): Verdict => {
  if (context.vetoes.length === 0) return wanted;
  const action = wanted.state === 'past-cap' ? 'notify' : 'none';
  const reasons = [...vetoReasons(context.vetoes), ...wanted.reasons];
  return { state: 'protected', action, atMs: nextAtMs(limits, [limits.hardCapSeconds]), reasons };
};

/** Says what observe mode would have ended: the only thing that weakens the hard cap. */
const underMode = (wanted: Verdict, limits: Limits, settings: Settings): Verdict => {
  const { announces, ...said } = wanted;
  if (settings.mode === 'enforce' || (wanted.action !== 'reap' && announces !== true)) return wanted;
  const observing = reason('observe-mode', { chosen: settings.mode === null ? 'no' : 'yes' });
  // Nothing is announced where nothing comes: a switch to enforce starts the whole notice.
  const past = wanted.state === 'past-cap' || wanted.state === 'orphaned' || wanted.state === 'overdue';
  const atMs = past ? nextAtMs(limits, [limits.hardCapSeconds]) : wanted.atMs;
  return { ...said, action: 'notify', atMs, reasons: [...wanted.reasons, observing] };
};

/** A due end, put off until that of a connected leftover; it stays announced meanwhile. */
export const awaitingVerdict = (due: Verdict, client: Client): Verdict =>
  due.action === 'reap'
    ? { ...due, action: 'notify', announces: true, reasons: [...due.reasons, clientReason(client)] }
    : due;

/**
 * What becomes of a job now: state, action, the next moment and why, the weightiest reason first.
 * Pure and total: never throws, whatever the job. Promises: a veto wins over everything; a job
 * whose descent was not witnessed is never reaped, at no age, but by the user's own command for
 * what is probably left over; an unknown owner is never reaped below the hard cap; only observing
 * and a client of the user weaken the hard cap of a witnessed job; with everything else equal a
 * longer age never gives a milder action; and nothing is reaped whose end was not announced a whole
 * notice before, but by the word of its session or of the user.
 */
export const judge = (job: Job, settings: Settings, context: JudgeContext): Verdict => {
  const subject = caseOf(job, settings, context);
  const wanted = underLoss(underVetoes(byTable(subject), subject.limits, context), context.isForgotten === true);
  return underMode(wanted, subject.limits, settings);
};
