import type { JobId } from '../../app/jobs/job.ts';
import { identityKey } from '../../app/process/identity.ts';
import { identityOf } from '../../app/process/table.ts';
import type { JudgedJob, Look } from './look.ts';

/**
 * Remembers which jobs were due at the look before. A job is reaped by itself only when two looks in a row found it due, with
 * the same process as its root: one look can catch an agent between two states.
 */
export class Sightings {
  #before = new Map<JobId, string>();

  /** The jobs that this look and the one before found due. Call once a look. */
  confirm(look: Look): readonly JudgedJob[] {
    const now = new Map<JobId, string>();
    const confirmed: JudgedJob[] = [];
    for (const [id, judged] of look.jobs) {
      if (judged.verdict.action !== 'reap') continue;
      const root = identityKey(identityOf(look.table, judged.job.root));
      now.set(id, root);
      if (this.#before.get(id) === root) confirmed.push(judged);
    }
    this.#before = now;
    return confirmed;
  }
}
