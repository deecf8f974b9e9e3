import type { JobId } from '../../app/model/job.ts';
import type { JudgedJob, Look } from '../observing/look.ts';
import type { GivenNotice } from '../observing/observer-tools.ts';
import { drain, type Steps } from '../../app/process/steps.ts';
import type { SeenOnHost } from './seen-notices.ts';

/**
 * Jobs that are announced between two steps: each part costs a durable write, and one announcement
 * takes up to 0.5 milliseconds.
 */
const maxTogether = 16;

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
 *
 * Where an announcement counts only once it was seen, its countdown begins at the next look after
 * that; until then it is neither given again nor followed by an end.
 */
export class NoticeLedger {
  readonly #said = new Map<JobId, Said>();
  readonly #seen: SeenOnHost | null;

  /** @param seen where announcements count only once they are seen; null: as soon as given */
  constructor(seen: SeenOnHost | null = null) {
    this.#seen = seen;
  }

  /**
   * Tells what of a look is new to the user.
   * @param remember the user is told of these jobs for the first time, or of their ends
   */
  notifyNew(
    look: Look,
    remember: (notices: readonly GivenNotice[]) => void,
    noticed: (judged: JudgedJob, look: Look) => void,
  ): void {
    drain(this.notifyingNew(look, remember, noticed));
  }

  /** See `notifyNew`; in steps. What was not told of before another look is told of by that one. */
  *notifyingNew(
    look: Look,
    remember: (notices: readonly GivenNotice[]) => void,
    noticed: (judged: JudgedJob, look: Look) => void,
  ): Steps<void> {
    const due = [...look.jobs.values()].filter(({ verdict }) => verdict.action === 'notify');
    for (let at = 0; at < due.length; at += maxTogether) {
      if (at > 0) yield;
      const part = due.slice(at, at + maxTogether).map((judged) => ({ judged, ...this.tell(judged) }));
      const notices = part.flatMap(({ judged, end }): readonly GivenNotice[] => {
        const announces = isAnnouncement(judged) && this.#counts(judged.job.id);
        if (!announces && !(end && judged.job.noticedAtMs === null)) return [];
        return [{ id: judged.job.id, announcedAtTicks: announces ? look.table.nowTicks : null }];
      });
      // Nothing may come between the two: what is remembered as told is told.
      if (notices.length > 0) remember(notices);
      for (const { judged, isNew } of part) if (isNew) noticed(judged, look);
    }
    this.#seen?.keepOnly(due.filter(isAnnouncement).map(({ job }) => job.id));
    this.keepOnly(look.jobs);
  }

  /** Whether an announcement counts from now on: seen, or given where that is enough. */
  #counts(id: JobId): boolean {
    if (this.#seen === null || this.#seen.take(id)) return true;
    if (!this.#seen.isAwaited(id)) this.#seen.give(id);
    return false;
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
    const isAwaited = this.#seen?.isAwaited(id) === true;
    const newEnd = (isAnnouncement(judged) && !isAwaited) || (saying.end !== null && saying.end !== before.end);
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
