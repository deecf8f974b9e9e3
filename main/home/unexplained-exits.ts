import type { JobId } from '../../app/jobs/model/job.ts';
import { hasEnded } from '../../app/process/row.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import type { JudgedJob, Look } from '../observing/look.ts';

/** A job that was told of, or was about to be, and is gone without Curfew. */
export interface UnexplainedExit {
  /** As it was seen last. */
  readonly judged: JudgedJob;
  /** The look at which it was seen last, and the one at which it was gone. */
  readonly lastLook: Look;
  readonly goneLook: Look;
  /** Processes that the OOM killer had ended in its control group when it was seen last; null where nobody counts. */
  readonly oomKills: number | null;
}

/**
 * A job that ends within its time is nobody's business, and one that is protected or kept isn't either, unless the person was told of it. A run
 * is ended by its own `curfew run`, which keeps the record of that.
 */
const concerns = ({ job, verdict }: JudgedJob): boolean =>
  job.run === undefined &&
  (verdict.state === 'overdue' ||
    verdict.state === 'orphaned' ||
    verdict.state === 'past-cap' ||
    job.noticedAtMs !== null);

/**
 * Notices that a job which had overstayed is gone without Curfew's doing, at the look after the one at which it was missed: by then
 * its agent has written down what became of it.
 */
export class UnexplainedExits {
  readonly #source: Pick<ProcessSource, 'read' | 'probing'>;
  #followed: ReadonlyMap<JobId, Omit<UnexplainedExit, 'goneLook'>> = new Map();
  #missed: readonly UnexplainedExit[] = [];

  constructor(source: Pick<ProcessSource, 'read' | 'probing'>) {
    this.#source = source;
  }

  /** What has gone; `isOurs` says of a job that Curfew is ending it. Reads the members of what is missing once more. Throws ProcessTableUnreadable. */
  look(look: Look, isOurs: (job: JobId) => boolean): readonly UnexplainedExit[] {
    const departed = this.#missed.filter(({ judged }) => !look.jobs.has(judged.job.id));
    this.#missed = [...this.#followed.values()]
      .filter(({ judged }) => !look.jobs.has(judged.job.id) && !isOurs(judged.job.id) && this.#isGone(judged))
      .map((one) => ({ ...one, goneLook: look }));
    const followed = new Map<JobId, Omit<UnexplainedExit, 'goneLook'>>();
    for (const [id, judged] of look.jobs) {
      if (!concerns(judged) || isOurs(id)) continue;
      const cgroups = judged.job.facts.get(judged.job.root.pid)?.cgroups ?? null;
      followed.set(id, { judged, lastLook: look, oomKills: this.#source.probing?.oomKills(cgroups) ?? null });
    }
    this.#followed = followed;
    return departed;
  }

  /** A job can come to be seen otherwise, as a part of another; it has gone only when none of its processes lives. */
  #isGone({ job }: JudgedJob): boolean {
    return job.members.every(({ row }) => {
      const now = this.#source.read(row.pid);
      return now === null || now.startTicks !== row.startTicks || hasEnded(now);
    });
  }
}
