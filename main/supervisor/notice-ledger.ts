import type { JobId } from '../../app/model/job.ts';
import type { JudgedJob, Look } from '../observing/look.ts';
import type { GivenNotice } from '../observing/observer-tools.ts';
import type { Steps } from '../../app/process/steps.ts';

/** Identifies a job of a machine; see `jobKey`. */
const keyOf = (host: string, job: string): string => `${host}:${job}`;

/**
 * Which announcements of ends the user has seen, where giving one is no proof of that: macOS shows
 * no notification of an app that is not signed as it wants, and need not say so. What was not seen
 * begins no countdown, so that nothing is ended for it. In memory alone: a Curfew that is started
 * anew announces again.
 */
export class SeenNotices {
  /** Announcements that do not count yet, by job; true for those that were seen. */
  readonly #given = new Map<string, boolean>();

  /** Returns the part for one machine, by its name. */
  of(host: string): SeenOnHost {
    return {
      give: (job) => void this.#given.set(keyOf(host, job), false),
      isAwaited: (job) => this.#given.has(keyOf(host, job)),
      take: (job) => this.#given.get(keyOf(host, job)) === true && this.#given.delete(keyOf(host, job)),
      keepOnly: (jobs) => {
        const keys = new Set(jobs.map((job) => keyOf(host, job)));
        for (const key of this.#given.keys())
          if (key.startsWith(keyOf(host, '')) && !keys.has(key)) this.#given.delete(key);
      },
    };
  }

  /** True for a job whose announcement was given and does not count yet. */
  awaits(key: string): boolean {
    return this.#given.has(key);
  }

  /** The system says that the announcements of these jobs are on the screen, or the user acted. */
  see(keys: readonly string[]): void {
    for (const key of keys) if (this.#given.has(key)) this.#given.set(key, true);
  }

  /** The user looks at all jobs. */
  seeAll(): void {
    this.see([...this.#given.keys()]);
  }
}

/** The announcements of one machine. */
export interface SeenOnHost {
  /** An announcement is given. */
  readonly give: (job: string) => void;
  /** True where one was given and does not count yet. */
  readonly isAwaited: (job: string) => boolean;
  /** Returns true where it was seen: it counts from now on, and is not awaited any more. */
  readonly take: (job: string) => boolean;
  /** Forgets all but these. */
  readonly keepOnly: (jobs: readonly string[]) => void;
}

/** Jobs announced between two steps: each part is a durable write, each job takes 0.5 ms. */
const maxTogether = 16;

interface Said {
  /** What was told of its end last; null: nothing. */
  readonly end: string | null;
  /** Diagnoses that were told, ever. */
  readonly diagnoses: ReadonlySet<string>;
}

/** What a notice would say: the end's state, whether for silence, and which diagnoses. */
const sayingOf = ({ verdict }: JudgedJob): Said => ({
  // A warning that a job overstays does not replace the one that it will be ended, nor does one
  // that it works too long replace the one that it will be ended for its silence.
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
   * Tells what of a look is new to the user, in steps. What was not told of before another look is
   * told of by that one.
   * @param remember the user is told of these jobs for the first time, or of their ends
   */
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
