import type { Job } from '../model/job.ts';
import type { Verdict } from './verdict.ts';

/**
 * False for what a list leaves out unless all is asked for: protected jobs, and servers of sessions
 * that are in use or of which it can't be told for certain that they are not.
 */
export const isShownAlways = ({
  job,
  verdict,
}: {
  readonly job: Pick<Job, 'server'>;
  readonly verdict: Pick<Verdict, 'state'>;
}): boolean =>
  verdict.state !== 'protected' &&
  (job.server === undefined ||
    job.server.standing === 'abandoned' ||
    job.server.standing === 'replaced' ||
    (job.server.standing === 'detached' && verdict.state !== 'kept'));
