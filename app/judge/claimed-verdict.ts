import { type Case, deferralReasons, diagnosedAge, verdictOf } from './case.ts';
import { askedForCase, hasNoOwnerLeft } from './endable.ts';
import { endingVerdict } from './endings.ts';
import { nextAtMs } from './limits.ts';
import { graceReason, limitReason, reason } from './reasons.ts';
import type { Reason, Verdict } from './verdict.ts';

/** Put off, exempt or in use: it is not even told. */
const sparedVerdict = (subject: Case, deferred: readonly Reason[]): Verdict =>
  verdictOf(subject, ['kept', 'none', subject.keptUntilMs], [...deferred, reason('claimed')]);

/**
 * A job that only marks name: it is never ended by itself, at no age. The user is told once it is
 * past its max elapsed. Once nothing that lives could own it, it is probably left over, and the
 * user's own command may end it.
 */
export const claimedVerdict = (subject: Case): Verdict => {
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
