import type { JobId } from '../../app/jobs/model/job.ts';
import type { JudgedJob, Look } from '../observing/look.ts';

interface Said {
  /** What was told of its end last; null: nothing. */
  readonly end: string | null;
  /** Diagnoses that were told, ever. */
  readonly diagnoses: ReadonlySet<string>;
}

/**
 * What a notice would say: of its end (in which state, and whether for its silence), and which
 * diagnoses.
 */
const sayingOf = ({ verdict }: JudgedJob): Said => ({
  // Told that it overstays, the user is told again before it is ended.
  // Told that it works too long, the user is told again when it is to be ended for its silence.
  end:
    verdict.forDiagnosis === true
      ? null
      : verdict.announces === true
        ? 'ending'
        : verdict.reasons.some(({ code }) => code === 'silent')
          ? `${verdict.state} silent`
          : verdict.state,
  diagnoses: new Set(
    verdict.reasons.flatMap(({ code, figures }) => (code === 'diagnosis' ? [String(figures['diagnosis'])] : [])),
  ),
});

/** Whether a notice begins a countdown. */
const isAnnouncement = ({ job, verdict }: JudgedJob): boolean =>
  verdict.announces === true && job.announcedSeconds === null;

/**
 * What the user has been told of each job, so that they are told once per job and state, and once
 * of each diagnosis. A notice of a diagnosis is no notice of an end: what is to be ended is told of
 * again, with all the time that a notice gives.
 */
export class NoticeLedger {
  readonly #said = new Map<JobId, Said>();

  /**
   * Tells what of a look is new to the user.
   * @param remember they are told of this job for the first time; `announcedAtTicks`: of its end,
   *   so that the notice counts from there
   */
  notifyNew(
    look: Look,
    remember: (id: JobId, announcedAtTicks: number | null) => void,
    noticed: (judged: JudgedJob, look: Look) => void,
  ): void {
    for (const [id, judged] of look.jobs) {
      if (judged.verdict.action !== 'notify') continue;
      const { end, isNew } = this.tell(judged);
      const announces = isAnnouncement(judged);
      if (announces || (end && judged.job.noticedAtMs === null)) remember(id, announces ? look.table.nowTicks : null);
      if (isNew) noticed(judged, look);
    }
    this.keepOnly(look.jobs);
  }

  /**
   * What is new in a notice of this job, and remembers it as told. `end`: it says something of its
   * end, told already or not.
   */
  tell(judged: JudgedJob): { readonly end: boolean; readonly isNew: boolean } {
    const { id, noticedAtMs } = judged.job;
    const saying = sayingOf(judged);
    // What an earlier run of Curfew told is not told again.
    const before = this.#said.get(id) ?? (noticedAtMs === null ? { end: null, diagnoses: new Set<string>() } : saying);
    this.#said.set(id, {
      end: saying.end ?? before.end,
      diagnoses: new Set([...before.diagnoses, ...saying.diagnoses]),
    });
    // A countdown that began again is announced again.
    const newEnd = isAnnouncement(judged) || (saying.end !== null && saying.end !== before.end);
    return {
      end: saying.end !== null,
      isNew: newEnd || [...saying.diagnoses].some((code) => !before.diagnoses.has(code)),
    };
  }

  /** Forgets the jobs that are no more. */
  keepOnly(jobs: { readonly has: (job: JobId) => boolean }): void {
    for (const job of this.#said.keys()) if (!jobs.has(job)) this.#said.delete(job);
  }
}
