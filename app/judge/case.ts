import type { Job } from '../model/job.ts';
import type { Exemption, Settings } from '../settings/settings.ts';
import type { JudgeContext } from './context.ts';
import { exemptionOf } from './exemptions.ts';
import { limitsOf, type Limits } from './limits.ts';
import {
  activityReason,
  clientReason,
  diagnosisReasons,
  exemptReason,
  ownerReason,
  reason,
  toldAge,
} from './reasons.ts';
import type { Reason, Verdict, VerdictAction, VerdictState } from './verdict.ts';

/** Everything the rules of the table look at, worked out once. */
export interface Case {
  readonly job: Job;
  readonly settings: Settings;
  readonly limits: Limits;
  readonly activity: 'service' | 'silent' | 'working';
  /** End of a keep that still holds, wall clock in milliseconds. */
  readonly keptUntilMs: number | null;
  readonly exemption: Exemption | null;
  readonly byCommand: boolean;
  readonly saidSo: boolean;
  /** Abandoned servers of sessions are ended, and not only shown. */
  readonly endsServers: boolean;
  /** The user's own command ends what is probably left over, too. */
  readonly endsProbable: boolean;
}

/** Works out what the rules look at. */
export const caseOf = (job: Job, settings: Settings, context: JudgeContext): Case => {
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
    endsProbable: context.terms?.kind === 'command' && context.terms.endsProbable === true,
  };
};

/** What puts its end off: a keep, an exemption, a client. */
export const deferralReasons = ({ job, keptUntilMs, exemption, limits }: Case): readonly Reason[] => [
  ...(keptUntilMs === null
    ? []
    : [reason('kept', { untilMs: keptUntilMs, leftSeconds: Math.ceil((keptUntilMs - limits.nowMs) / 1000) })]),
  ...(exemption === null ? [] : [exemptReason(exemption)]),
  ...(job.client === undefined ? [] : [clientReason(job.client)]),
];

/** Owner and activity of the job: every verdict carries both, so that the user can judge too. */
const circumstanceReasons = (subject: Case): readonly Reason[] => [
  ownerReason(subject.job, subject.limits),
  activityReason(subject.job, subject.limits, subject.activity),
  ...diagnosisReasons(subject.job),
];

/** Returns a verdict with the circumstances behind its own reasons. */
export const verdictOf = (
  subject: Case,
  [state, action, atMs]: readonly [VerdictState, VerdictAction, number | null],
  reasons: readonly Reason[],
): Verdict => ({ state, action, atMs, reasons: [...reasons, ...circumstanceReasons(subject)] });

/** As `toldAge`, of a case. */
export const diagnosedAge = ({ job, limits }: Case): readonly number[] => toldAge(job, limits.maxElapsedSeconds);
