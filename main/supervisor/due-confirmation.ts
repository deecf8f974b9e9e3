import type { JobId } from '../../app/model/job.ts';
import type { Settings } from '../../app/settings/settings.ts';
import type { JudgedJob, Look } from '../observing/look.ts';
import { apartShare, confirmTwice, type FirstLook, firstLookOf } from '../ending/two-looks.ts';

/**
 * Seconds to wait after a session ended before its jobs count as orphans; at most
 * `orphanGraceSeconds`. A session that moves to the background ends before its successor shows: the
 * open files by which that one is known are read again within four looks.
 */
const successionSeconds = 30;

/**
 * Shorter wait when the session announced its end through a hook: five looks (open files are
 * re-read within four) and five seconds.
 */
const toldSuccession = { seconds: 5, looks: 5 };
/** Seconds from which two looks then count as a scan apart. */
const toldApartSeconds = 2;

interface Due {
  readonly first: FirstLook;
  /** Seconds that the job must have been due without a break. */
  readonly neededSeconds: number;
  readonly neededLooks: number;
  readonly looks: number;
}

/** How long a job must be due before it is reaped, from this first sighting of it on; seconds. */
const neededSeconds = ({ job, toldEnded }: JudgedJob, settings: Settings): number => {
  const interval = settings.scanIntervalSeconds * apartShare;
  const scan = toldEnded === true ? Math.min(interval, toldApartSeconds) : interval;
  if (job.owner.state !== 'gone') return scan;
  const settling = Math.min(
    settings.orphanGraceSeconds,
    toldEnded === true ? toldSuccession.seconds : successionSeconds,
  );
  // Gone when Curfew began to look. Where it told of its end a moment ago, its successor may still
  // be on its way.
  if (job.owner.sinceMs === null) return toldEnded === true ? Math.max(scan, settling) : scan;
  return Math.max(scan, settling - (job.goneSeconds ?? 0));
};

/**
 * Remembers since when jobs are due. A job is reaped by itself only when all looks since found it
 * due with the same process as its root, two of them at least and a scan apart: one look can catch
 * an agent between two states, and so can a second one right after it (while something else is
 * being reaped, looks follow each other closely).
 */
export class DueConfirmation {
  #due = new Map<JobId, Due>();

  /**
   * Everything is to be seen anew: looks that were made meanwhile don't count, nor, of an observer,
   * what was announced.
   */
  forget(observer?: { readonly forgetAnnouncements: () => void }): void {
    this.#due = new Map();
    observer?.forgetAnnouncements();
  }

  /** The jobs that were found due long enough. Call once a look. */
  confirm(look: Look, settings: Settings): readonly JudgedJob[] {
    const now = new Map<JobId, Due>();
    const confirmed: JudgedJob[] = [];
    for (const [id, judged] of look.jobs) {
      if (judged.verdict.action !== 'reap') continue;
      const before = this.#due.get(id);
      const seen = firstLookOf(look, judged);
      if (before === undefined || !confirmTwice(before.first, look, seen, 0)) {
        const neededLooks = judged.toldEnded === true ? toldSuccession.looks : 2;
        now.set(id, { first: seen, neededSeconds: neededSeconds(judged, settings), neededLooks, looks: 1 });
        continue;
      }
      const looks = before.looks + 1;
      now.set(id, { ...before, looks });
      if (looks >= before.neededLooks && confirmTwice(before.first, look, seen, before.neededSeconds))
        confirmed.push(judged);
    }
    this.#due = now;
    return confirmed;
  }
}
