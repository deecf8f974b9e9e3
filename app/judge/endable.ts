import type { Job } from '../model/job.ts';
import { isWitnessed } from '../model/proof.ts';
import type { Case } from './case.ts';

declare const endable: unique symbol;

/**
 * A case in which the job may be ended without a click of the user. Only the two functions below
 * make one, so the compiler asks for the proof wherever an end is written.
 */
export type EndableCase = Case & { readonly [endable]: true };

/** Returns the case where the descent of the job was witnessed, else null. */
export const witnessedCase = (subject: Case): EndableCase | null =>
  isWitnessed(subject.job.proof) ? (subject as EndableCase) : null;

/** True where no process that lives could own the job, whether its end was observed or not. */
export const hasNoOwnerLeft = ({ job: { owner } }: { readonly job: Pick<Job, 'owner'> }): boolean =>
  owner.state === 'gone' || (owner.state === 'unknown' && owner.noneLeft === true);

/** Returns the case where the user's own command asks for what is probably left over, else null. */
export const askedForCase = (subject: Case): EndableCase | null =>
  subject.endsProbable && hasNoOwnerLeft(subject) ? (subject as EndableCase) : null;
