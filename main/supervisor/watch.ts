import { type MemoryState, withScarcity } from '../../app/judge/scarce-memory.ts';
import { largestFirst } from '../../app/judge/worst-first.ts';
import { type JobId, asJobId } from '../../app/model/job.ts';
import type { Settings } from '../../app/settings/settings.ts';
import { type Ender, type EndingMachine, type Recordable, endsOfOneLook, recordable } from '../ending/end.ts';
import { type FirstLook, apartShare, confirmTwice, firstLookOf } from '../ending/two-looks.ts';
import type { JudgedJob, Look } from '../observing/look.ts';
import { automaticOrder } from '../reaping/plan.ts';
import { letOthersIn, type LookStep, type ReaperProgress } from '../reaping/drive.ts';
import type { Reaper } from '../reaping/reaper.ts';
import { NoticeLedger } from './notice-ledger.ts';
import { ScanContinuation, Slice, sliceMs } from './scan-continuation.ts';
import type { SupervisorTools } from './supervisor-tools.ts';
import type { Outcome } from '../../app/history/incident.ts';

const firstPauseMs = 60_000;
const maxPauseMs = 3_600_000;

/**
 * Keeps a reaping that did not succeed from being tried again at every look: a process that waits
 * in the kernel, or may not be signalled, is no easier to end five seconds later, and each attempt
 * is an incident. The pause doubles from a minute to an hour.
 */
export class Retries {
  readonly #pauses = new Map<JobId, { readonly pauseMs: number; readonly untilMs: number }>();
  readonly #steadyNow: () => number;

  /** `steadyNow`: milliseconds by a clock that is never set. */
  constructor(steadyNow: () => number) {
    this.#steadyNow = steadyNow;
  }

  /** What came of an attempt; null: it had to be given up. */
  note(job: JobId, outcome: Outcome | null): void {
    if (outcome !== null && outcome !== 'survived' && outcome !== 'spared') {
      this.#pauses.delete(job);
      return;
    }
    const before = this.#pauses.get(job);
    const pauseMs = before === undefined ? firstPauseMs : Math.min(before.pauseMs * 2, maxPauseMs);
    this.#pauses.set(job, { pauseMs, untilMs: this.#steadyNow() + pauseMs });
  }

  /** False while the pause after the last attempt goes on. */
  allows(job: JobId): boolean {
    const pause = this.#pauses.get(job);
    return pause === undefined || this.#steadyNow() >= pause.untilMs;
  }

  keepOnly(jobs: { readonly has: (job: JobId) => boolean }): void {
    for (const job of this.#pauses.keys()) if (!jobs.has(job)) this.#pauses.delete(job);
  }
}

/**
 * Seconds to wait after a session ended before its jobs count as orphans; at most
 * `orphanGraceSeconds`. A session that moves to the background ends before its successor shows: the
 * open files by which that one is known are read again within four looks.
 */
const successionSeconds = 30;

/** Wait after a hook announced the end: five looks (files are reread in four), five seconds. */
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

  /** See everything anew: looks made meanwhile, and an observer's announcements, don't count. */
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

/** Another Curfew that ends jobs on the machine by itself. */
export interface OtherEnder {
  readonly isThere: boolean;
  readonly isReaping: boolean;
  /** Ends what it would end by itself, but none other than these. */
  readonly reapOf: (announced: ReadonlySet<JobId>) => void;
}

/** The machine that is watched, and what is done with what is due on it. */
export interface WatchTools
  extends
    Omit<EndingMachine, 'reaper'>,
    Pick<SupervisorTools, 'settings' | 'rememberNotices' | 'seen' | 'now' | 'paused' | 'events'>,
    Pick<SupervisorTools, 'departed' | 'tellSessions' | 'memory'> {
  readonly observer: { readonly forgetAnnouncements: () => void };
  /** `advancing` only where a look is what reapings go on with. */
  readonly reaper: Ender & Partial<Pick<Reaper, 'advancing'>>;
  /** Where it is there, what is due is left to it. */
  readonly otherEnder?: OtherEnder;
  /** Curfew is to end, and begins nothing new. */
  readonly stopping: () => boolean;
  /** The work of a look is done, as far as it depends on the look before. */
  readonly worked?: (look: Look) => void;
  /** A clock that is never set, milliseconds, by which what did not succeed is tried again. */
  readonly steadyNow?: () => number;
}

/** The one loop over a machine: from looks, reapings go on, notices go out, due jobs end. */
export class Watch {
  readonly #tools: WatchTools;
  readonly #dueConfirmation = new DueConfirmation();
  readonly #notices: NoticeLedger;
  readonly #retries: Retries;
  #journalWasBroken = false;

  constructor(tools: WatchTools) {
    this.#tools = tools;
    this.#retries = new Retries(tools.steadyNow ?? (() => performance.now()));
    this.#notices = new NoticeLedger(tools.seen ?? null);
  }

  /**
   * Does all that follows from a look and lets others in between groups of reapings: with 500 at
   * once the loop stood still for 5 s.
   * @param endedMeanwhile jobs whose reaping came to its end since the look was begun
   */
  *of(look: Look, endedMeanwhile: ReadonlySet<JobId> = new Set()): Generator<LookStep, Look> {
    const { events, paused, stopping, worked } = this.#tools;
    const slice = new Slice(look.tookMs);
    yield* slice.turn();
    const ended = new Set(endedMeanwhile);
    yield* this.#advance(look, ended);
    let begun = 0;
    if (paused()) this.#dueConfirmation.forget(this.#tools.observer);
    else if (!stopping()) {
      const { rememberNotices, now } = this.#tools;
      const notifying = this.#notices.notifyingNew(
        look,
        (given) => rememberNotices(given, now()),
        (judged, of) => events.noticed(withScarcity(judged, this.#scarce), of),
      );
      yield* letOthersIn(notifying);
      begun = yield* this.#begin(look, slice, ended);
    }
    if (begun > 0) yield* this.#advance(look, ended);
    worked?.(look);
    this.#noteDeparted(look, ended);
    yield* slice.turn();
    events.looked(look);
    return look;
  }

  /** What was due must be seen due twice again: the machine was out of sight. */
  forget(): void {
    this.#dueConfirmation.forget();
  }

  /** All that follows from a look, at once; gives what came to its end. */
  now(look: Look, endedMeanwhile?: ReadonlySet<JobId>): ReaperProgress {
    return new ScanContinuation(0, this.of(look, endedMeanwhile)).drain();
  }

  /** True for a job that will be announced or ended, and was not tried in vain lately. */
  isPending({ job, verdict }: JudgedJob): boolean {
    return this.#retries.allows(job.id) && (verdict.announces === true || verdict.action === 'reap');
  }

  /** Publishes ended reapings: to next sessions, to the count of attempts, and to views. */
  publish({ ended, failed }: ReaperProgress): void {
    const { events, tellSessions } = this.#tools;
    try {
      if (ended.length > 0) tellSessions?.(ended);
    } catch (error) {
      events.problem(error);
    }
    for (const { job, outcome } of ended) this.#retries.note(asJobId(job), outcome);
    for (const { job } of failed) this.#retries.note(job, null);
    for (const incident of ended) events.ended(incident);
    for (const failure of failed) events.failed(failure);
  }

  /** Takes the reapings on; `ended` gets those that came to their end. */
  *#advance(look: Look, ended: Set<JobId>): Generator<LookStep, void> {
    for (const step of this.#tools.reaper.advancing?.(look, sliceMs) ?? []) {
      for (const { job } of step.ended) ended.add(asJobId(job));
      this.publish(step);
      yield step;
    }
  }

  /** Begins what two looks found due; returns how many. */
  *#begin(look: Look, slice: Slice, ended: ReadonlySet<JobId>): Generator<LookStep, number> {
    const { where, settings, events, paused, stopping, otherEnder } = this.#tools;
    this.#retries.keepOnly(look.jobs);
    const busy = this.#ours(ended);
    const scarce = this.#scarce;
    const confirmed = this.#dueConfirmation.confirm(look, settings());
    // Nothing is due for it: what is anyway goes in another order, and is told why.
    const due = (scarce === null ? confirmed : largestFirst(confirmed))
      .map((judged) => withScarcity(judged, scarce))
      .filter(({ job }) => this.#retries.allows(job.id) && !busy.has(job.id));
    if (due.length === 0) return 0;
    const record = this.#recordable();
    if (record === null) return 0;
    const begun = endsOfOneLook(due, where);
    if (otherEnder?.isThere === true) {
      if (otherEnder.isReaping) return 0;
      for (const { job } of begun) this.#retries.note(job.id, null);
      otherEnder.reapOf(new Set(begun.map(({ job }) => job.id)));
      return 0;
    }
    for (const judged of begun) {
      yield* slice.turn();
      // Others have had a turn: the user may have paused, or Curfew is to end.
      if (stopping() || paused()) break;
      const order = { ...automaticOrder(judged, settings()), ...(scarce === null ? {} : { scarce }) };
      if (record.begin(order, judged, look) !== null) events.reaping(judged, look, order.decidedBy);
    }
    return begun.length;
  }

  /**
   * The jobs that are being ended, and those that were with this look. A process can die after the
   * look was begun: its job is in the look, and its reaping is over. Such a job was ended, and then
   * once more, with a second record that it had gone by itself.
   */
  #ours(ended: ReadonlySet<JobId>): ReadonlySet<JobId> {
    return new Set([...ended, ...this.#tools.reaper.inProgress.map(({ order }) => order.job)]);
  }

  /** Only a record: whatever goes wrong with it is told, and holds up no look and no reaping. */
  #noteDeparted(look: Look, ended: ReadonlySet<JobId>): void {
    const { departed, events } = this.#tools;
    const ours = this.#ours(ended);
    try {
      for (const incident of departed?.(look, (job) => ours.has(job)) ?? []) events.ended(incident);
    } catch (error) {
      this.#tools.events.problem(error);
    }
  }

  /** What can't be recorded isn't done. Says so once, and once more when it can again. */
  #recordable(): Recordable | null {
    const record = recordable(this.#tools);
    const isBroken = record.kind === 'unrecordable';
    if (isBroken && !this.#journalWasBroken) this.#tools.events.problem(record.problem);
    this.#journalWasBroken = isBroken;
    return isBroken ? null : record;
  }

  get #scarce(): MemoryState | null {
    return this.#tools.memory?.scarce ?? null;
  }
}
