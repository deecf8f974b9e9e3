import type { Job } from '../../jobs/model/job.ts';
import type { Veto } from '../verdict.ts';
import { veto } from '../veto-rule.ts';

/**
 * Nothing proves that an agent started it. A name is no proof, so a job like this is shown and
 * never touched.
 */
export const noProvenance = (job: Pick<Job, 'provenance' | 'root'>): Veto | null =>
  job.provenance.length === 0 ? veto('no-provenance', job.root) : null;
