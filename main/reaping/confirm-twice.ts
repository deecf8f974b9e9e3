import type { JobId } from '../../app/jobs/model/job.ts';
import type { IdentityKey } from '../../app/process/identity.ts';
import { identityKey } from '../../app/process/identity.ts';
import { awakeSeconds, identityOf } from '../../app/process/table.ts';
import type { JudgedJob, Look } from '../observing/look.ts';

/** Two looks count as so many seconds apart from this share of them on: timers are never exact. */
export const apartShare = 0.8;

/** A job as one look found it. */
export interface Sighting {
  readonly job: JobId;
  readonly root: IdentityKey;
  /** When, in ticks of the machine's clock since its boot. */
  readonly atTicks: number;
}

/** Notes a job as this look finds it. */
export const sightingOf = (look: Look, { job }: JudgedJob): Sighting => ({
  job: job.id,
  root: identityKey(identityOf(look.table, job.root)),
  atTicks: look.table.nowTicks,
});

/**
 * Whether a second look confirms what a first one saw (contract 3): the same job, with the same
 * process as its root, so many seconds awake after it. One look can catch an agent between two
 * states. The supervisor, `curfew reap` and the user's button all ask this; how long the job must
 * have been due in between differs, and is the caller's.
 */
export const confirmTwice = (
  first: Sighting | undefined,
  look: Look,
  judged: JudgedJob,
  apartSeconds: number,
): boolean => {
  if (first === undefined) return false;
  const now = sightingOf(look, judged);
  return first.job === now.job && first.root === now.root && awakeSeconds(look.table, first.atTicks) >= apartSeconds;
};
