import type { JobId } from '../../app/model/job.ts';
import { hasEnded } from '../../app/process/row.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import type { JudgedJob, Look } from '../observing/look.ts';

/** A job that was announced or overdue and is gone without Curfew's doing. */
export interface UnexplainedExit {
  /** The job at the last scan that saw it. */
  readonly judged: JudgedJob;
  /** The last scan that saw it, and the first that did not. */
  readonly lastLook: Look;
  readonly goneLook: Look;
  /** OOM kills in its control group at the last scan that saw it; null if there is no counter. */
  readonly oomKills: number | null;
}

/**
 * Returns whether the end of a job needs an explanation: it was overdue or announced. A job that
 * ends in time, or is protected or kept, needs none. A run is ended and recorded by its own `curfew
 * run`.
 */
const concerns = ({ job, verdict }: JudgedJob): boolean =>
  job.run === undefined &&
  (verdict.state === 'overdue' ||
    verdict.state === 'orphaned' ||
    verdict.state === 'past-cap' ||
    job.noticedAtMs !== null);

/**
 * Detects that an overdue job is gone without Curfew's doing. Reports it one scan after it was
 * missed: by then its agent has recorded what became of it.
 */
export class UnexplainedExits {
  readonly #source: Pick<ProcessSource, 'read' | 'probing'>;
  #followed: ReadonlyMap<JobId, Omit<UnexplainedExit, 'goneLook'>> = new Map();
  #missed: readonly UnexplainedExit[] = [];

  constructor(source: Pick<ProcessSource, 'read' | 'probing'>) {
    this.#source = source;
  }

  /**
   * Returns the jobs that are gone; `isOurs` says whether Curfew is ending a job. Reads the members
   * of missing jobs once more.
   * @throws ProcessTableUnreadable
   */
  look(look: Look, isOurs: (job: JobId) => boolean): readonly UnexplainedExit[] {
    const departed = this.#missed.filter(({ judged }) => !look.jobs.has(judged.job.id));
    this.#missed = [...this.#followed.values()]
      .filter(({ judged }) => !look.jobs.has(judged.job.id) && !isOurs(judged.job.id) && this.#isGone(judged))
      .map((one) => ({ ...one, goneLook: look }));
    const followed = new Map<JobId, Omit<UnexplainedExit, 'goneLook'>>();
    // Read once for each group: hundreds of jobs are often in the same one.
    const kills = new Map<string, number | null>();
    for (const [id, judged] of look.jobs) {
      if (!concerns(judged) || isOurs(id)) continue;
      const cgroups = judged.job.facts.get(judged.job.root.pid)?.cgroups ?? null;
      const group = JSON.stringify(cgroups);
      const known = kills.get(group);
      const oomKills = known === undefined ? (this.#source.probing?.oomKills(cgroups) ?? null) : known;
      kills.set(group, oomKills);
      followed.set(id, { judged, lastLook: look, oomKills });
    }
    this.#followed = followed;
    return departed;
  }

  /** A job may become part of another; it is gone only if none of its processes lives. */
  #isGone({ job }: JudgedJob): boolean {
    return job.members.every(({ row }) => {
      const now = this.#source.read(row.pid);
      return now === null || now.startTicks !== row.startTicks || hasEnded(now);
    });
  }
}
