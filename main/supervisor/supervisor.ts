import type { JobId } from '../../app/model/job.ts';
import type { Steps } from '../../app/process/steps.ts';
import type { Look } from '../observing/look.ts';
import type { LookStep, ReaperProgress } from '../reaping/progress.ts';
import type { EndRefusal } from '../../app/ending/refusal.ts';
import { acceptRequest, type EndResult, resultOf } from '../ending/end.ts';
import { planFor } from '../reaping/plan.ts';
import { Watch } from './watch.ts';
import { pauseAfter } from './pace.ts';
import { letOthersIn, ScanContinuation, sliceMs } from './scan-continuation.ts';
import type { SupervisorTools } from './supervisor-tools.ts';

/** How often a reaping in progress is looked after, milliseconds. */
const reapingPollMs = 100;
/** After a look that failed, at least so long, milliseconds. */
const afterFailureMs = 1000;
/**
 * When it is to end and so many looks in a row have failed, it ends without having seen the
 * reapings in progress to their end.
 */
const failuresToGiveUp = 10;

/** How long in ms a user counts as looking after a window said so; it says so twice as often. */
const leaseMs = 10_000;

/**
 * Whether a user looks at what is found. A window says so again and again while it is visible, so
 * that nothing has to be taken back when it closes.
 */
export class Attention {
  readonly #now: () => number;
  #untilMs = -Infinity;

  /** @param now a clock in milliseconds that is never set */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** True while a user looks. */
  get given(): boolean {
    return this.#now() < this.#untilMs;
  }

  /** A window is visible. Returns true if none was before. */
  renew(): boolean {
    const isNew = !this.given;
    this.#untilMs = this.#now() + leaseMs;
    return isNew;
  }
}

/**
 * The loop: observe, assemble, judge, notify or reap, record. One at a time, so that two looks
 * never overlap; survives every error of a look; ends cleanly, a reaping in progress included.
 */
export class Supervisor {
  readonly #tools: SupervisorTools;
  readonly #watch: Watch;
  #timer: NodeJS.Timeout | null = null;
  readonly #attention = new Attention();
  #stopping = false;
  #idle: Promise<void> | null = null;
  #whenIdle: (() => void) | null = null;
  #failures = 0;
  #latest: Look | null = null;
  #rest: ScanContinuation | null = null;

  constructor(tools: SupervisorTools) {
    this.#tools = tools;
    this.#watch = new Watch({
      ...tools,
      where: 'here',
      // Whatever goes wrong while telling what went wrong, the next look comes.
      events: { ...tools.events, problem: (error) => this.#say(error) },
      stopping: () => this.#stopping,
      worked: (look) => {
        this.#latest = look;
        if (!this.#stopping) this.#tools.glances?.follow(look, () => this.#hurry());
      },
    });
  }

  /** Begins with a look at once. */
  start(): void {
    this.#tools.memory?.begin(() => this.#hurry());
    this.#schedule(0);
  }

  /** The latest look; null before the first. */
  get latest(): Look | null {
    return this.#latest;
  }

  /**
   * Ends a job by the user's decision, in every mode and while paused. Seen twice: at the latest
   * look and at a new one right now, with which everything else goes on. Says at once what came of
   * it.
   * @throws ProcessTableUnreadable, and what else a look throws; then nothing was done
   */
  reap(id: JobId): EndResult {
    if (this.#stopping) return { kind: 'stopping' };
    const before = this.#latest;
    const look = this.#tools.observer.look();
    const refusal = this.#begin(id, before, look);
    if (refusal?.kind === 'unrecordable') this.#say(refusal.problem);
    const progress = this.#goOn(look);
    return refusal ?? resultOf(id, progress, this.#tools.reaper);
  }

  /**
   * Ends several jobs by a person's decision, like `reap`, with one new look for all. Says why one
   * was not taken up, and null for the others; their reapings begin with turns for others between
   * them.
   * @throws what a look throws; then nothing was done
   */
  reapAll(ids: readonly JobId[]): ReadonlyMap<JobId, EndRefusal | null> {
    if (this.#stopping) return new Map(ids.map((id) => [id, { kind: 'stopping' }]));
    const before = this.#latest;
    const look = this.#tools.observer.look();
    const refusals = new Map(ids.map((id) => [id, this.#begin(id, before, look)]));
    this.#rest = this.#afterLook(look);
    this.#schedule(0);
    return refusals;
  }

  /**
   * Ends the grace of a reaping, by the id of its incident; what is left is killed now. False when
   * there is none in its grace.
   * @throws what the journal throws; then the grace goes on
   */
  endGrace(incidentId: string): boolean {
    if (!this.#tools.reaper.endGrace(incidentId)) return false;
    this.lookNow();
    return true;
  }

  /** A user looks at the jobs: for a while looks are closer together. */
  attend(): void {
    if (this.#attention.renew()) this.#hurry();
  }

  /** Looks at once: something was changed that is to be seen. Never throws. */
  lookNow(): void {
    if (this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#beat(true);
  }

  /**
   * Finishes the reapings in progress, then resolves; however often it is called. When the machine
   * can't be looked at any more they are left as they are: nothing more is signalled, and the next
   * Curfew completes their records.
   */
  async stop(): Promise<void> {
    this.#stopping = true;
    const idle = this.#tools.reaper.inProgress.length === 0;
    this.#idle ??= idle ? Promise.resolve() : new Promise<void>((resolve) => (this.#whenIdle = resolve));
    await this.#idle;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#tools.sessionNews?.close();
    this.#tools.memory?.close();
    this.#tools.glances?.close();
  }

  /** Begins to end a job for the user; null, or why not. */
  #begin(id: JobId, before: Look | null, look: Look): EndRefusal | null {
    const { settings, events } = this.#tools;
    const asked = acceptRequest(id, before, look, this.#tools);
    if (asked.kind !== 'accepted') return asked;
    const { judged, begin } = asked;
    const order = { job: id, decidedBy: 'person', plan: planFor(judged.job, settings()) } as const;
    if (!begin(order, judged, look)) return { kind: 'busy' };
    events.reaping(judged, look, 'person');
    return null;
  }

  /** Looks at once instead of at the next beat. After a look that failed the pause is kept. */
  #hurry(): void {
    if (this.#timer === null || this.#stopping || this.#failures > 0) return;
    clearTimeout(this.#timer);
    this.#schedule(0);
  }

  /**
   * The next beat, instead of one that was scheduled before: there is one chain of them, also when
   * a look is asked for while one is being told of.
   */
  #schedule(delayMs: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#beat();
    }, delayMs);
  }

  #beat(asked = false): void {
    const { reaper, settings, observer } = this.#tools;
    let pauseMs = settings().scanIntervalSeconds * 1000;
    try {
      this.#tools.sessionNews?.listen(() => this.#hurry());
      // Something was changed, or there was another look: what was still to be done by the look
      // before is done by a new one.
      if (asked || this.#rest?.looks !== observer.looks) this.#rest = null;
      if (this.#rest === null && (asked || reaper.inProgress.length === 0 || reaper.needsLook())) {
        this.#rest = this.#continuationOf(observer.looking(asked ? Infinity : sliceMs));
        if (asked) this.#rest.drain();
      }
      const rest = this.#rest;
      if (rest?.step() === false) {
        this.#schedule(0);
        return;
      }
      if (rest !== null && rest.look !== null) {
        pauseMs = pauseAfter(rest.look, settings().scanIntervalSeconds, this.#attention.given);
        this.#failures = 0;
      }
      this.#rest = null;
    } catch (error) {
      this.#rest = null;
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

  #continuationOf(looking: Steps<Look>): ScanContinuation {
    const steps = function* (this: Supervisor): Generator<LookStep, Look> {
      return yield* this.#watch.of(yield* letOthersIn(looking));
    };
    return new ScanContinuation(this.#tools.observer.looks, steps.call(this));
  }

  #afterLook(look: Look): ScanContinuation {
    return new ScanContinuation(this.#tools.observer.looks, this.#watch.of(look));
  }

  /** The same with a look that was made between two beats. */
  #goOn(look: Look): ReaperProgress {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#rest = null;
    try {
      return this.#afterLook(look).drain();
    } finally {
      const busy = this.#tools.reaper.inProgress.length > 0;
      this.#schedule(
        busy ? reapingPollMs : pauseAfter(look, this.#tools.settings().scanIntervalSeconds, this.#attention.given),
      );
    }
  }
}
