import { withScarcity, type MemoryState } from '../../app/judge/scarce-memory.ts';
import { largestFirst } from '../../app/judge/worst-first.ts';
import { asJobId, type JobId } from '../../app/jobs/model/job.ts';
import type { Look } from '../observing/look.ts';
import { Retries } from '../reaping/backoff.ts';
import { endsOfOneLook } from '../reaping/bound.ts';
import { automaticOrder } from '../reaping/plan.ts';
import type { LookStep } from '../reaping/progress.ts';
import { DueConfirmation } from './due-confirmation.ts';
import { NoticeLedger } from './notice-ledger.ts';
import { publishProgress } from './publish-progress.ts';
import { letOthersIn, Slice, sliceMs } from './scan-continuation.ts';
import type { SupervisorTools } from './supervisor-tools.ts';

/** What the work is done with. */
export interface WorkTools extends SupervisorTools {
  /** Curfew is to end, and begins nothing new. */
  readonly stopping: () => boolean;
  /** The work of a look is done, as far as it depends on the look before. */
  readonly worked: (look: Look) => void;
  /** Tells of an error; never throws. */
  readonly say: (error: unknown) => void;
  /** A clock that is never set, milliseconds; for tests. */
  readonly steadyNow?: () => number;
}

/** What follows from a look: reapings go on, notices are given, what is due begins. */
export class LookWork {
  readonly #tools: WorkTools;
  readonly #dueConfirmation = new DueConfirmation();
  readonly #notices: NoticeLedger;
  readonly #retries: Retries;
  #journalWasBroken = false;

  constructor(tools: WorkTools) {
    this.#tools = tools;
    this.#retries = new Retries(tools.steadyNow ?? (() => performance.now()));
    this.#notices = new NoticeLedger(tools.seen ?? null);
  }

  /**
   * Everything that follows from a look, with turns for others between every so many reapings: with
   * 500 the loop stood still for 5 s.
   */
  *of(look: Look): Generator<LookStep, Look> {
    const { events, paused, stopping, worked } = this.#tools;
    const slice = new Slice(look.tookMs);
    yield* slice.turn();
    const ended = new Set<JobId>();
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
    worked(look);
    this.#noteDeparted(look, ended);
    yield* slice.turn();
    events.looked(look);
    return look;
  }

  /** Takes the reapings on; `ended` gets those that came to their end. */
  *#advance(look: Look, ended: Set<JobId>): Generator<LookStep, void> {
    for (const step of this.#tools.reaper.advancing(look, sliceMs)) {
      for (const { job } of step.ended) ended.add(asJobId(job));
      publishProgress(step, this.#tools, this.#retries, this.#tools.say);
      yield step;
    }
  }

  /** Begins what two looks found due; returns how many. */
  *#begin(look: Look, slice: Slice, ended: ReadonlySet<JobId>): Generator<LookStep, number> {
    const { reaper, settings, events, paused, stopping } = this.#tools;
    this.#retries.keepOnly(look.jobs);
    const busy = this.#ours(ended);
    const scarce = this.#scarce;
    const confirmed = this.#dueConfirmation.confirm(look, settings());
    // Nothing is due for it: what is anyway goes in another order, and is told why.
    const due = (scarce === null ? confirmed : largestFirst(confirmed))
      .map((judged) => withScarcity(judged, scarce))
      .filter(({ job }) => this.#retries.allows(job.id) && !busy.has(job.id));
    if (due.length === 0 || !this.#canJournal()) return 0;
    const begun = endsOfOneLook(due, 'here');
    for (const judged of begun) {
      yield* slice.turn();
      // Others have had a turn: the user may have paused, or Curfew is to end.
      if (stopping() || paused()) break;
      const order = { ...automaticOrder(judged, settings()), ...(scarce === null ? {} : { scarce }) };
      if (reaper.start(order, judged)) events.reaping(judged, look, order.decidedBy);
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
      this.#tools.say(error);
    }
  }

  /** What can't be recorded isn't done. Says so once, and once more when it can again. */
  #canJournal(): boolean {
    const problem = this.#tools.journalProblem();
    if (problem !== null && !this.#journalWasBroken) this.#tools.events.problem(problem);
    this.#journalWasBroken = problem !== null;
    return problem === null;
  }

  get #scarce(): MemoryState | null {
    return this.#tools.memory?.scarce ?? null;
  }
}
