import type { Decider, Incident } from '../../app/history/incident.ts';
import type { JobId } from '../../app/jobs/job.ts';
import type { Settings } from '../../app/settings/settings.ts';
import type { JudgedJob, Look } from './look.ts';
import type { Observer } from './observer.ts';
import { pauseAfter } from './pace.ts';
import { planFor } from './plan.ts';
import type { Reaper, ReapingFailure } from './reaper.ts';
import { Sightings } from './sightings.ts';

/** At most so many reapings are begun at one look: a mistake in a rule or a registry must not sweep a machine empty at once. */
const reapingsPerLook = 500;

/** How often a reaping in progress is looked after, milliseconds. */
const reapingPollMs = 100;

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
}

/**
 * The loop: observe, assemble, judge, notify or reap, record. One at a time, so that two looks never overlap; survives every error
 * of a look; ends cleanly, a reaping in progress included.
 */
export class Supervisor {
  readonly #tools: SupervisorTools;
  readonly #sightings = new Sightings();
  readonly #told = new Map<JobId, string>();
  #timer: NodeJS.Timeout | null = null;
  #stopping = false;
  #whenIdle: (() => void) | null = null;
  #journalWasBroken = false;

  constructor(tools: SupervisorTools) {
    this.#tools = tools;
  }

  /** Begins with a look at once. */
  start(): void {
    this.#schedule(0);
  }

  /** Looks no more for new work, finishes the reapings in progress, then resolves. */
  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#tools.reaper.inProgress.length > 0) await new Promise<void>((resolve) => (this.#whenIdle = resolve));
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
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
      if (reaper.inProgress.length === 0 || reaper.needsLook()) {
        const look = this.#look();
        pauseMs = pauseAfter(look, settings().scanIntervalSeconds);
      }
    } catch (error) {
      this.#say(error);
    }
    const busy = reaper.inProgress.length > 0;
    if (this.#stopping && !busy) {
      this.#whenIdle?.();
      return;
    }
    this.#schedule(busy ? reapingPollMs : pauseMs);
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
    for (const incident of ended) events.ended(incident);
    for (const failure of failed) events.failed(failure);
  }

  /** Begins what two looks found due; returns how many. */
  #begin(look: Look): number {
    const { reaper, settings, events } = this.#tools;
    const due = this.#sightings
      .confirm(look)
      .filter(({ job }) => !reaper.inProgress.some((one) => one.order.job === job.id));
    if (due.length === 0 || !this.#canJournal()) return 0;
    const begun = due.slice(0, reapingsPerLook);
    for (const judged of begun) {
      const order = { job: judged.job.id, decidedBy: 'rule', plan: planFor(judged.job, settings()) } as const;
      if (reaper.start(order, judged)) events.reaping(judged, look, 'rule');
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
      const { action, state } = judged.verdict;
      if (action !== 'notify') continue;
      const { noticedAtMs } = judged.job;
      if (noticedAtMs === null) rememberNotice(id, now());
      // What an earlier run of Curfew told is not told again.
      const told = this.#told.get(id) ?? (noticedAtMs === null ? null : state);
      this.#told.set(id, state);
      if (told !== state) events.noticed(judged, look);
    }
    for (const id of this.#told.keys()) if (!look.jobs.has(id)) this.#told.delete(id);
  }
}
