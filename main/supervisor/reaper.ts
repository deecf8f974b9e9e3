import type { Incident, Intent } from '../../app/history/incident.ts';
import { foldIncident } from '../../app/history/fold.ts';
import type { Job, JobId } from '../../app/jobs/job.ts';
import type { VetoContext } from '../../app/judge/vetoes/context.ts';
import { localHost } from '../../app/remote/host-name.ts';
import { nextReapingStep } from '../../app/reap/machine.ts';
import type { ProcessHandle, Signaller } from '../os/signaller.ts';
import type { ProcessSource } from '../os/source.ts';
import { deliver } from './delivery.ts';
import { isAlive } from './recovery.ts';
import type { JudgedJob, Look } from './look.ts';
import type { ReapingOrder } from './reaping.ts';
import { Reaping } from './reaping.ts';
import type { ReapingRecordTools } from './reaping-record.ts';
import { ReapingRecord } from './reaping-record.ts';

/** While processes end, members are enumerated again at least this often (milliseconds), so that what they fork is seen. */
const enumerateEveryMs = 1000;

/** What the reaper works with. */
export interface ReaperTools extends Omit<ReapingRecordTools, 'host' | 'isRunning'> {
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

/** A reaping that could not be journalled; nothing was signalled from then on. */
export interface ReapingFailure {
  readonly job: JobId;
  readonly error: unknown;
  /** Null when not even the intent could be written. */
  readonly intent: Intent | null;
  /** How many of its processes lived when it was given up. */
  readonly left: number;
}

/** What came out of advancing: incidents that are complete, and reapings that had to be given up. */
export interface ReaperProgress {
  readonly ended: readonly Incident[];
  readonly failed: readonly ReapingFailure[];
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
      isRunning: (mark, { table }) => isAlive(table, mark),
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
    const ended: Incident[] = [];
    const failed: ReapingFailure[] = [];
    for (const [id, reaping] of this.#active) {
      try {
        if (!this.#advanceOne(reaping, look)) continue;
        if (reaping.intent !== null) ended.push(foldIncident(reaping.intent, reaping.events));
      } catch (error) {
        failed.push({ job: id, error, intent: reaping.intent, left: reaping.left });
      }
      reaping.close();
      this.#active.delete(id);
    }
    return { ended, failed };
  }

  /** True when the reaping has ended. */
  #advanceOne(reaping: Reaping<ProcessHandle>, look: Look): boolean {
    const steadyNow = this.#steadyNow;
    const sight = reaping.sight(look, steadyNow(), this.#tools.paused?.() === true);
    for (;;) {
      const { state, action } = nextReapingStep(reaping.state, sight, reaping.plan, steadyNow());
      switch (action.kind) {
        case 'journal':
          this.#record.begin(reaping, look);
          reaping.state = state;
          break;
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
          return false;
        }
        case 'wait':
          reaping.waitUntilMs = action.untilMs;
          reaping.state = state;
          return false;
        case 'end':
          reaping.state = state;
          this.#record.end(reaping, look, sight, action.outcome);
          return true;
      }
    }
  }
}
