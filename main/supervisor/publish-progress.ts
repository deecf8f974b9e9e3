import { asJobId } from '../../app/jobs/model/job.ts';
import type { ReaperProgress } from '../reaping/progress.ts';
import type { Retries } from '../reaping/backoff.ts';
import type { SupervisorTools } from './supervisor-tools.ts';

/**
 * Publishes reapings that came to an end: to the next sessions of their projects, to the count of
 * attempts, and to what shows them.
 */
export const publishProgress = (
  { ended, failed }: ReaperProgress,
  { events, tellSessions }: Pick<SupervisorTools, 'events' | 'tellSessions'>,
  retries: Retries,
  say: (error: unknown) => void,
): void => {
  try {
    if (ended.length > 0) tellSessions?.(ended);
  } catch (error) {
    say(error);
  }
  for (const { job, outcome } of ended) retries.note(asJobId(job), outcome);
  for (const { job } of failed) retries.note(job, null);
  for (const incident of ended) events.ended(incident);
  for (const failure of failed) events.failed(failure);
};
