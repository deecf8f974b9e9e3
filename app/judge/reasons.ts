import { inWordsOfKeys } from '../format/said.ts';
import type { Job, Client } from '../model/job.ts';
import type { Exemption } from '../settings/settings.ts';
import type { Limits } from './limits.ts';
import type { Reason, ReasonCode, Veto } from './verdict.ts';

type Figures = Readonly<Record<string, number | string>>;

/** A reason with its figures. Units stand in the names. */
export const reason = (code: ReasonCode, figures: Figures = {}): Reason => ({ code, figures });

/** Whose the job is, and how that is known. */
export const ownerReason = ({ owner, goneSeconds }: Job, { nowMs, ageSeconds }: Limits): Reason => {
  const evidence = inWordsOfKeys(owner.evidence);
  if (owner.state === 'live') return reason('owner-live', { evidence });
  if (owner.state === 'unknown') {
    const { doubt } = owner;
    const figures = doubt === undefined ? {} : { doubt: doubt.code, pid: doubt.pid, parent: doubt.parent };
    return reason('owner-unknown', { evidence, ...figures });
  }
  const gone = { evidence, ageSeconds: Math.round(ageSeconds) };
  if (owner.sinceMs === null || owner.sinceMs > nowMs) return reason('owner-gone', gone);
  const sinceSeconds = goneSeconds ?? (nowMs - owner.sinceMs) / 1000;
  return reason('owner-gone', { ...gone, sinceSeconds: Math.round(sinceSeconds) });
};

/** What is left of the grace of a job whose session has ended. */
export const graceReason = (limits: Limits, leftSeconds: number): Reason =>
  reason('within-orphan-grace', {
    ageSeconds: Math.round(limits.ageSeconds),
    limitSeconds: limits.orphanGraceSeconds,
    leftSeconds: Math.ceil(leftSeconds),
  });

/** An age against a limit. */
export const limitReason = (code: ReasonCode, limits: Limits, limitSeconds: number): Reason =>
  reason(code, { ageSeconds: Math.round(limits.ageSeconds), limitSeconds });

/** Whether it listens, is silent, or works. */
export const activityReason = (job: Job, limits: Limits, activity: 'service' | 'silent' | 'working'): Reason => {
  const silentSeconds = Math.round(limits.silentSeconds);
  if (activity === 'service') return reason('service', { ports: job.holds.ports.join(', '), silentSeconds });
  if (activity === 'silent') return reason('silent', { silentSeconds });
  return reason('working', {
    silentSeconds,
    windowSeconds: Math.round(limits.quietWindowSeconds),
    cpuPercent: job.holds.cpuPercent,
  });
};

/** Which exemption spares it, in the parts that the user gave. */
export const exemptReason = (exemption: Exemption): Reason => {
  const { project, command, port, note } = exemption;
  return reason('exempt', {
    ...(project === undefined ? {} : { project }),
    ...(command === undefined ? {} : { command }),
    ...(port === undefined ? {} : { port }),
    ...(note === undefined ? {} : { note }),
  });
};

/** Who uses it, as far as that is known. */
export const clientReason = ({ by, at, from }: Client): Reason =>
  reason('in-use', { by, at, ...(from === null ? {} : { from }) });

/**
 * From half of the max elapsed on, what is visibly stuck is worth telling, whatever its owner; what
 * takes the machine's memory is at once. Seconds; none: nothing is visible.
 */
export const toldAge = ({ diagnoses }: Pick<Job, 'diagnoses'>, maxElapsedSeconds: number): readonly number[] => {
  if (diagnoses.length === 0) return [];
  return [diagnoses.some(({ code }) => code === 'fast-growth') ? 0 : maxElapsedSeconds / 2];
};

/** One reason for each diagnosis, carrying its figures. */
export const diagnosisReasons = (job: Job): readonly Reason[] =>
  job.diagnoses.map(({ code, figures }) => reason('diagnosis', { ...figures, diagnosis: code }));

/** One reason for each veto, carrying its figures. */
export const vetoReasons = (vetoes: readonly Veto[]): readonly Reason[] =>
  vetoes.map(({ code, pid, figures }) => reason('vetoed', { ...figures, veto: code, pid }));
