import type { JobId } from '../../app/model/job.ts';
import type { Steps } from '../../app/process/steps.ts';
import type { Look } from '../observing/look.ts';
import { letOthersIn, type LookStep } from '../reaping/drive.ts';
import type { EndRefusal } from '../../app/ending/refusal.ts';
import { acceptRequest, type EndResult, resultOf } from '../ending/end.ts';
import { planFor } from '../reaping/plan.ts';
import type { Reaping } from '../reaping/reaping.ts';
import { Watch } from './watch.ts';
import { pauseAfter } from './pace.ts';
import { ScanContinuation, Slice, sliceMs } from './scan-continuation.ts';
import type { SupervisorTools } from './supervisor-tools.ts';

/** How often a reaping in progress is looked after, milliseconds. */
const reapingPollMs = 100;
/** Least pause after a look that failed, milliseconds. */
const afterFailureMs = 1000;
/** Failed looks in a row after which it ends without seeing its reapings to their end. */
const failuresToGiveUp = 10;

/** How long in ms a user counts as looking after a window said so; it says so twice as often. */
const leaseMs = 10_000;

/** A job that the user wants ended, until a look is over that was begun after that. */
interface Wish {
  readonly id: JobId;
  /** What the user had seen. */
  readonly before: Look | null;
  /** How many looks had been begun. */
  readonly looks: number;
  /** Answers why it was not taken up, or the reaping that was. */
  readonly answer: (came: EndRefusal | Reaping) => void;
  readonly fail: (error: unknown) => void;
}

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
  #wishes: readonly Wish[] = [];
  /** Tell what came of the user's orders that were taken up and have no record yet. */
  readonly #begun = new Map<Reaping, (came: EndResult) => void>();

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
   * look and at a new one, which begins now and lets others in between its steps. Resolves once the
   * reaping has its record, or is over. Rejects with ProcessTableUnreadable, and what else a look
   * throws; then nothing was done.
   */
  async reap(id: JobId): Promise<EndResult> {
    const came = Promise.withResolvers<EndResult>();
    const refusal = await this.#ask(id, (reaping) => this.#begun.set(reaping, came.resolve));
    return refusal ?? came.promise;
  }

  /**
   * Ends several jobs by a person's decision, like `reap`, with one new look for all. Resolves with
   * why one was not taken up, and null for the others.
   */
  async reapAll(ids: readonly JobId[]): Promise<ReadonlyMap<JobId, EndRefusal | null>> {
    return new Map(await Promise.all(ids.map(async (id) => [id, await this.#ask(id)] as const)));
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
    for (const { answer } of this.#wishes) answer({ kind: 'stopping' });
    this.#wishes = [];
    const idle = this.#tools.reaper.inProgress.length === 0;
    this.#idle ??= idle ? Promise.resolve() : new Promise<void>((resolve) => (this.#whenIdle = resolve));
    await this.#idle;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#tools.sessionNews?.close();
    this.#tools.memory?.close();
    this.#tools.glances?.close();
  }

  /**
   * Asks for the end of a job at a look that begins after this call.
   * @param taken is called when it is taken up
   */
  async #ask(id: JobId, taken: (reaping: Reaping) => void = () => undefined): Promise<EndRefusal | null> {
    if (this.#stopping) return { kind: 'stopping' };
    return new Promise((resolve, reject) => {
      const answer = (came: EndRefusal | Reaping): void => {
        if ('kind' in came) return resolve(came);
        taken(came);
        resolve(null);
      };
      const { looks } = this.#tools.observer;
      this.#wishes = [...this.#wishes, { id, before: this.#latest, looks, answer, fail: reject }];
      // Its look follows the steps of one that is being made.
      if (this.#rest === null) this.#schedule(0);
    });
  }

  /** Takes up what the user asked for before this look was begun, with turns for others. */
  *#takeUp(look: Look, number: number): Generator<LookStep, void> {
    const slice = new Slice(0);
    // One durable write tells it for all of them.
    let known: { readonly problem: Error | null } | null = null;
    const journalProblem = (): Error | null => (known ??= { problem: this.#tools.journalProblem() }).problem;
    for (const wish of this.#wishes.filter(({ looks }) => looks < number)) {
      // Others had a turn.
      if (!this.#wishes.includes(wish)) continue;
      this.#wishes = this.#wishes.filter((other) => other !== wish);
      try {
        const came = this.#begin(wish, look, journalProblem);
        if ('kind' in came && came.kind === 'unrecordable') this.#say(came.problem);
        wish.answer(came);
      } catch (error) {
        wish.fail(error);
      }
      yield* slice.turn();
    }
  }

  /** Tells what a step brought for the orders that were taken up. */
  #tellBegun(): void {
    for (const [reaping, tell] of this.#begun) {
      const came = resultOf(reaping);
      if (came === null) continue;
      this.#begun.delete(reaping);
      tell(came);
    }
  }

  /** Begins to end a job for the user; or why not. */
  #begin({ id, before }: Wish, look: Look, journalProblem: () => Error | null): EndRefusal | Reaping {
    const { settings, events, reaper } = this.#tools;
    const asked = acceptRequest(id, before, look, { reaper, journalProblem });
    if (asked.kind !== 'accepted') return asked;
    const { judged, begin } = asked;
    const order = { job: id, decidedBy: 'person', plan: planFor(judged.job, settings()) } as const;
    const reaping = begin(order, judged, look);
    if (reaping === null) return { kind: 'busy' };
    events.reaping(judged, look, 'person');
    return reaping;
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
    this.#timer = setTimeout(() => this.#beat(), delayMs);
  }

  #beat(asked = false): void {
    const { reaper, settings, observer } = this.#tools;
    let pauseMs = settings().scanIntervalSeconds * 1000;
    try {
      this.#tools.sessionNews?.listen(() => this.#hurry());
      // Something was changed, or there was another look: what was still to be done by the look
      // before is done by a new one.
      if (asked || this.#rest?.looks !== observer.looks) this.#rest = null;
      const wanted = asked || this.#wishes.length > 0 || reaper.inProgress.length === 0;
      if (this.#rest === null && (wanted || reaper.needsLook())) {
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
      for (const { fail } of this.#wishes) fail(error);
      this.#wishes = [];
      this.#say(error);
    }
    const busy = reaper.inProgress.length > 0;
    if (this.#stopping && (!busy || this.#failures >= failuresToGiveUp)) {
      for (const tell of this.#begun.values()) tell({ kind: 'stopping' });
      this.#whenIdle?.();
      return;
    }
    const wantedMs = this.#wishes.length > 0 ? 0 : busy ? reapingPollMs : pauseMs;
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
    const { looks } = this.#tools.observer;
    const steps = function* (this: Supervisor): Generator<LookStep, Look> {
      const look = yield* letOthersIn(looking);
      yield* this.#takeUp(look, looks);
      const following = this.#watch.of(look);
      for (;;) {
        const { done, value } = following.next();
        if (done === true) return value;
        this.#tellBegun();
        yield value;
      }
    };
    return new ScanContinuation(looks, steps.call(this));
  }
}
