import type { Incident } from '../../app/history/incident.ts';
import { foldIncident } from '../../app/history/fold.ts';
import type { Job, JobId } from '../../app/jobs/model/job.ts';
import type { VetoContext } from '../../app/judge/veto-rule.ts';
import { localHost } from '../../app/remote/host-name.ts';
import { nextReapingStep, type ReapingState } from '../../app/reap/machine.ts';
import type { Sight } from '../../app/reap/target.ts';
import type { ProcessHandle, Signaller } from '../os/processes/signaller.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import { deliver } from './delivery.ts';
import { runsNow } from './recovery.ts';
import type { JudgedJob, Look } from '../observing/look.ts';
import type { LookStep, ReaperProgress, ReapingFailure } from './progress.ts';
import type { ReapingOrder } from './reaping.ts';
import { Reaping } from './reaping.ts';
import type { ReapingRecordTools } from './record.ts';
import { ReapingRecord } from './record.ts';

/** While processes end, members are enumerated again at least this often (milliseconds), so that what they fork is seen. */
const enumerateEveryMs = 1000;

/**
 * So many reapings are taken a step at a time with one durable write for their intents and one for their results. Each write waits for the
 * disk, 5 to 25 ms: with writes of their own 500 jobs kept the supervisor for 50 s. What stands between two writes is lost when
 * Curfew is killed there (signals were sent whose results nobody recorded), so it is not all of them.
 */
const reapingsTogether = 64;

type LocalReaping = Reaping<ProcessHandle>;

interface Sighted {
  readonly reaping: LocalReaping;
  readonly sight: Sight;
}

type Result = 'goes on' | 'ended' | { readonly error: unknown };

const attempt = (work: () => Result): Result => {
  try {
    return work();
  } catch (error) {
    return { error };
  }
};

/** What the reaper works with. */
export interface ReaperTools extends Omit<ReapingRecordTools, 'host' | 'isRunning' | 'portsInUse'> {
  readonly source: ProcessSource;
  readonly signaller: Signaller;
  /**
   * A clock that nobody sets, milliseconds, by which graces and pauses are counted: a wall clock that is put forward would cut a grace
   * short, one that is put back would never let it end. It stands still while the machine sleeps, and so do those who were asked to end.
   */
  readonly steadyNow?: () => number;
  readonly vetoContext: (job: Job, look: Look) => VetoContext;
  /** True while nothing is to be ended by itself. */
  readonly paused?: () => boolean;
}

/**
 * Carries out reapings, many at once, all from the same looks. It never looks by itself: whoever drives it (supervisor or
 * command line) hands it a look when `needsLook` says so, until nothing is in progress.
 */
export class Reaper {
  readonly #tools: ReaperTools;
  readonly #steadyNow: () => number;
  readonly #record: ReapingRecord;
  readonly #active = new Map<JobId, Reaping<ProcessHandle>>();

  constructor(tools: ReaperTools) {
    this.#tools = tools;
    this.#steadyNow = tools.steadyNow ?? (() => performance.now());
    this.#record = new ReapingRecord({
      ...tools,
      host: localHost,
      portsInUse: tools.source.portsInUse?.bind(tools.source),
      isRunning: runsNow(tools.source),
    });
  }

  /** Jobs that are being reaped now. */
  get inProgress(): readonly Reaping<ProcessHandle>[] {
    return [...this.#active.values()];
  }

  /** Takes a reaping up; false when the job is being reaped already. */
  start(order: ReapingOrder, judged: JudgedJob): boolean {
    if (this.#active.has(order.job)) return false;
    this.#active.set(order.job, new Reaping(order, judged, this.#tools.signaller));
    return true;
  }

  /**
   * Ends the grace of a reaping because a person is tired of waiting; false when there is none of this id in its grace. The record says so
   * before anything is killed for it.
   * @throws what the journal throws; then the grace goes on
   */
  endGrace(incident: string): boolean {
    const reaping = [...this.#active.values()].find((one) => one.intent?.id === incident);
    if (reaping?.state.phase !== 'asked') return false;
    if (reaping.plan.graceMs === 0) return true;
    this.#record.append(reaping, {
      kind: 'note',
      atMs: this.#tools.now(),
      text: 'The person ended the grace early: what was left was to be killed at once.',
    });
    reaping.endGrace();
    return true;
  }

  /** True when a reaping can go on only after another look: a moment it waits for has come, or everybody held has ended. */
  needsLook(): boolean {
    const now = this.#steadyNow();
    return this.inProgress.some(
      (reaping) =>
        now >= reaping.waitUntilMs || now - reaping.lastSightMs >= enumerateEveryMs || reaping.allHeldHaveEnded(),
    );
  }

  /** Takes every reaping as far as this look allows. */
  advance(look: Look): ReaperProgress {
    const all = [...this.advancing(look)];
    return { ended: all.flatMap(({ ended }) => ended), failed: all.flatMap(({ failed }) => failed) };
  }

  /**
   * The same a part at a time. Whoever looks at the machine in between must leave the rest to that look: who came into a group is told from the latest.
   */
  *advancing(look: Look): Generator<LookStep, void> {
    const all = [...this.#active.values()];
    for (let at = 0; at < all.length;) {
      const results = this.#advanceTogether(all.slice(at, (at += reapingsTogether)), look);
      yield { ...this.#takenOff(results), more: at < all.length };
    }
  }

  #takenOff(results: ReadonlyMap<LocalReaping, Result>): ReaperProgress {
    const ended: Incident[] = [];
    const failed: ReapingFailure[] = [];
    for (const [reaping, result] of results) {
      if (result === 'goes on') continue;
      const { job } = reaping.order;
      if (result !== 'ended') failed.push({ job, error: result.error, intent: reaping.intent, left: reaping.left });
      else if (reaping.intent !== null) ended.push(foldIncident(reaping.intent, reaping.events));
      reaping.close();
      this.#active.delete(job);
    }
    return { ended, failed };
  }

  /** Takes some as far as this look allows, with two durable writes for all of them: their intents, and what came of it. */
  #advanceTogether(batch: readonly LocalReaping[], look: Look): ReadonlyMap<LocalReaping, Result> {
    const results = new Map<LocalReaping, Result>();
    const sighted: Sighted[] = [];
    for (const reaping of batch) {
      const result = attempt(() => {
        const sight = reaping.sight(look, this.#steadyNow(), this.#tools.paused?.() === true);
        sighted.push({ reaping, sight });
        return 'goes on';
      });
      results.set(reaping, result);
    }
    this.#beginTogether(sighted, look, results);
    const going = sighted.filter(({ reaping }) => results.get(reaping) === 'goes on');
    const take = (one: Sighted): void =>
      void results.set(
        one.reaping,
        attempt(() => this.#goOn(one, look)),
      );
    // Whoever has no record yet and ends gets one in which a rival may stand, so it is on its own.
    for (const one of going) if (one.reaping.intent === null) take(one);
    const recorded = going.filter(({ reaping }) => results.get(reaping) === 'goes on' && reaping.intent !== null);
    const before = new Map(recorded.map(({ reaping }) => [reaping, reaping.events.length]));
    const written = attempt(() => {
      this.#tools.journal.together(() => recorded.forEach(take));
      return 'goes on';
    });
    if (written !== 'goes on')
      for (const [reaping, events] of before) if (reaping.events.length > events) results.set(reaping, written);
    return results;
  }

  #beginTogether(sighted: readonly Sighted[], look: Look, results: Map<LocalReaping, Result>): void {
    const nowMs = this.#steadyNow();
    const next = new Map<LocalReaping, ReapingState>();
    for (const { reaping, sight } of sighted) {
      const { state, action } = nextReapingStep(reaping.state, sight, reaping.plan, nowMs);
      if (action.kind === 'journal') next.set(reaping, state);
    }
    const failed = this.#record.beginAll([...next.keys()], look);
    for (const [reaping, state] of next) {
      if (failed.has(reaping)) results.set(reaping, { error: failed.get(reaping) });
      else reaping.state = state;
    }
  }

  /** What is due of a reaping after its intent is on disk, up to where it has to wait. */
  #goOn({ reaping, sight }: Sighted, look: Look): Result {
    const steadyNow = this.#steadyNow;
    for (;;) {
      const { state, action } = nextReapingStep(reaping.state, sight, reaping.plan, steadyNow());
      switch (action.kind) {
        case 'journal':
          // Only where it could not begin, and then it was given up.
          throw new Error(`The reaping of job ${reaping.order.job} has no record.`);
        case 'signal': {
          const delivery = {
            source: this.#tools.source,
            context: this.#tools.vetoContext(reaping.judged.job, look),
            reaping,
            now: this.#tools.now,
          };
          const records = [
            ...deliver(delivery, action.signal, action.orders),
            ...deliver(delivery, 'CONT', action.resume),
          ];
          this.#record.signalled(reaping, records);
          reaping.state = state;
          // What the signal did is seen by the next look only.
          reaping.waitUntilMs = state.phase === 'asked' ? state.askedAtMs + reaping.plan.graceMs : steadyNow();
          return 'goes on';
        }
        case 'wait':
          reaping.waitUntilMs = action.untilMs;
          reaping.state = state;
          return 'goes on';
        case 'end':
          reaping.state = state;
          this.#record.end(reaping, look, sight, action.outcome);
          return 'ended';
      }
    }
  }
}
