import { diagnosedAge, verdictOf } from './case.ts';
import type { EndableCase } from './endable.ts';
import { graceReason, reason } from './reasons.ts';
import type { Reason, Verdict, VerdictState } from './verdict.ts';

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
export const endingVerdict = (
  subject: EndableCase,
  { state, dueInSeconds, reasons, unannounced = false }: Ending,
): Verdict => {
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

/** Left over by its session from the first look on, with a countdown to its end. */
export const ownerGoneVerdict = (subject: EndableCase): Verdict => {
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
