import type { Decider, Incident } from '../../app/history/incident.ts';
import type { JobId } from '../../app/jobs/job.ts';
import { asJobId } from '../../app/jobs/job.ts';
import type { Settings } from '../../app/settings/settings.ts';
import type { JudgedJob, Look } from './look.ts';
import type { Observer } from './observer.ts';
import { pauseAfter } from './pace.ts';
import { planFor } from './plan.ts';
import type { Reaper, ReapingFailure } from './reaper.ts';
import { Retries } from './retries.ts';
import { Sightings } from './sightings.ts';
import { Told } from './told.ts';

/** At most so many reapings are begun at one look: a mistake in a rule or a registry must not sweep a machine empty at once. */
const reapingsPerLook = 500;

/** How often a reaping in progress is looked after, milliseconds. */
const reapingPollMs = 100;
/** After a look that failed, at least so long, milliseconds. */
const afterFailureMs = 1000;
/** When it is to end and so many looks in a row have failed, it ends without having seen the reapings in progress to their end. */
const failuresToGiveUp = 10;

/** What the supervisor tells whoever shows it. Called synchronously; must not throw. */
export interface SupervisorEvents {
  readonly looked: (look: Look) => void;
  /** A job needs the person's attention, once per job and state. */
  readonly noticed: (judged: JudgedJob, look: Look) => void;
  readonly reaping: (judged: JudgedJob, look: Look, decidedBy: Decider) => void;
  readonly ended: (incident: Incident) => void;
  readonly failed: (failure: ReapingFailure) => void;
  /** Something went wrong with a look or a record; the supervisor goes on. */
  readonly problem: (error: unknown) => void;
}

/** Where sessions tell that they begin and end. */
export interface SessionNews {
  /** Begins to listen, or goes on; called before every look, because the place may come and go. Never throws. */
  readonly listen: (heard: () => void) => void;
  readonly close: () => void;
}

/** What the supervisor works with. */
export interface SupervisorTools {
  readonly observer: Observer;
  readonly reaper: Reaper;
  readonly settings: () => Settings;
  /** Null when an incident can be recorded; else why not. Asked before anything is reaped by itself. */
  readonly journalProblem: () => Error | null;
  /** The person was told of this job; the judge counts the notice from here. */
  readonly rememberNotice: (id: JobId, atMs: number) => void;
  readonly now: () => number;
  readonly events: SupervisorEvents;
  /** Calls when a session told that it begins or ends. Without it that is seen at the next look. */
  readonly sessionNews?: SessionNews;
}

/**
 * The loop: observe, assemble, judge, notify or reap, record. One at a time, so that two looks never overlap; survives every error
 * of a look; ends cleanly, a reaping in progress included.
 */
export class Supervisor {
  readonly #tools: SupervisorTools;
  readonly #sightings = new Sightings();
  readonly #told = new Told();
  #timer: NodeJS.Timeout | null = null;
  #stopping = false;
  #idle: Promise<void> | null = null;
  #whenIdle: (() => void) | null = null;
  #failures = 0;
  readonly #retries = new Retries(() => performance.now());
  #journalWasBroken = false;

  constructor(tools: SupervisorTools) {
    this.#tools = tools;
  }

  /** Begins with a look at once. */
  start(): void {
    this.#schedule(0);
  }

  /**
   * Looks no more for new work, finishes the reapings in progress, then resolves; however often it is called. When the machine can't be
   * looked at any more they are left as they are: nothing more is signalled, and whoever starts next completes their records.
   */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#idle ??=
      this.#tools.reaper.inProgress.length === 0
        ? Promise.resolve()
        : new Promise<void>((resolve) => (this.#whenIdle = resolve));
    await this.#idle;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#tools.sessionNews?.close();
  }

  /** Looks at once instead of at the next beat. After a look that failed the pause is kept. */
  #hurry(): void {
    if (this.#timer === null || this.#stopping || this.#failures > 0) return;
    clearTimeout(this.#timer);
    this.#schedule(0);
  }

  #schedule(delayMs: number): void {
    this.#timer = setTimeout(() => {
      this.#beat();
    }, delayMs);
  }

  #beat(): void {
    const { reaper, settings } = this.#tools;
    let pauseMs = settings().scanIntervalSeconds * 1000;
    try {
      this.#tools.sessionNews?.listen(() => this.#hurry());
      if (reaper.inProgress.length === 0 || reaper.needsLook()) {
        const look = this.#look();
        pauseMs = pauseAfter(look, settings().scanIntervalSeconds);
        this.#failures = 0;
      }
    } catch (error) {
      this.#failures += 1;
      this.#say(error);
    }
    const busy = reaper.inProgress.length > 0;
    if (this.#stopping && (!busy || this.#failures >= failuresToGiveUp)) {
      this.#whenIdle?.();
      return;
    }
    const wantedMs = busy ? reapingPollMs : pauseMs;
    this.#schedule(this.#failures === 0 ? wantedMs : Math.max(wantedMs, afterFailureMs));
  }

  /** Whatever goes wrong while telling what went wrong, the next look comes. */
  #say(error: unknown): void {
    try {
      this.#tools.events.problem(error);
    } catch (cause) {
      process.emitWarning(new Error('Curfew could not tell of a problem', { cause }));
    }
  }

  #look(): Look {
    const { observer, events } = this.#tools;
    const look = observer.look();
    this.#advance(look);
    if (!this.#stopping) {
      this.#notice(look);
      if (this.#begin(look) > 0) this.#advance(look);
    }
    events.looked(look);
    return look;
  }

  #advance(look: Look): void {
    const { reaper, events } = this.#tools;
    const { ended, failed } = reaper.advance(look);
    for (const { job, outcome } of ended) this.#retries.note(asJobId(job), outcome);
    for (const { job } of failed) this.#retries.note(job, null);
    for (const incident of ended) events.ended(incident);
    for (const failure of failed) events.failed(failure);
  }

  /** Begins what two looks found due; returns how many. */
  #begin(look: Look): number {
    const { reaper, settings, events } = this.#tools;
    this.#retries.keepOnly(look.jobs);
    const due = this.#sightings
      .confirm(look, settings())
      .filter(({ job }) => this.#retries.allows(job.id) && !reaper.inProgress.some((one) => one.order.job === job.id));
    if (due.length === 0 || !this.#canJournal()) return 0;
    const begun = due.slice(0, reapingsPerLook);
    for (const judged of begun) {
      // Its session's own word made it due before its time.
      const decidedBy = judged.toldEnded === true && judged.verdict.state === 'orphaned' ? 'hook' : 'rule';
      const order = { job: judged.job.id, decidedBy, plan: planFor(judged.job, settings()) } as const;
      if (reaper.start(order, judged)) events.reaping(judged, look, decidedBy);
    }
    return begun.length;
  }

  /** What can't be recorded isn't done. Says so once, and once more when it can again. */
  #canJournal(): boolean {
    const problem = this.#tools.journalProblem();
    if (problem !== null && !this.#journalWasBroken) this.#tools.events.problem(problem);
    this.#journalWasBroken = problem !== null;
    return problem === null;
  }

  #notice(look: Look): void {
    const { rememberNotice, events, now } = this.#tools;
    for (const [id, judged] of look.jobs) {
      if (judged.verdict.action !== 'notify') continue;
      const { end, isNew } = this.#told.tell(judged);
      if (end && judged.job.noticedAtMs === null) rememberNotice(id, now());
      if (isNew) events.noticed(judged, look);
    }
    this.#told.keepOnly(look.jobs);
  }
}
