import type { Incident } from '../../app/history/incident.ts';
import { foldIncident } from '../../app/history/fold.ts';
import type { Job, JobId } from '../../app/model/job.ts';
import type { VetoContext } from '../../app/judge/veto-rule.ts';
import { localHost } from '../../app/remote/host-list.ts';
import type { ProcessHandle, Signaller } from '../os/processes/signaller.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import { localDeliverer } from './delivery.ts';
import type { ReadShares } from './freed.ts';
import type { LeftGroup } from './whole-group.ts';
import { ReapingDriver, type PassResult } from './driver.ts';
import { isRunningNow } from './recovery.ts';
import type { JudgedJob, Look } from '../observing/look.ts';
import { letOthersIn, type LookStep, type ReaperProgress, type ReapingFailure } from './drive.ts';
import { type ReapingOrder, Reaping } from './reaping.ts';
import { type ReapingRecordTools, ReapingRecord } from './record.ts';

/** Milliseconds after which members are enumerated anew, so that what they fork is seen. */
const enumerateEveryMs = 1000;

/**
 * Most reapings that share a step: one durable write for their intents and one for their results.
 * Each write waits for the disk, 5 to 25 ms: with writes of their own 500 jobs kept the supervisor
 * for 50 s. What stands between two writes is lost when Curfew is killed there (signals were sent
 * whose results are on no disk), so it is not all of them.
 */
const maxTogether = 64;
/** Fewest that share one, however long they take: each part costs two durable writes. */
const minTogether = 8;
/** Most processes of a step, or one reaping: each is held, recorded and confirmed. */
const maxMembers = 200;

type LocalReaping = Reaping<ProcessHandle>;

/** The first of them, as many as a part holds. */
const partOf = (all: readonly LocalReaping[]): readonly LocalReaping[] => {
  let members = 0;
  const next = all.findIndex(({ judged }, at) => (members += judged.job.members.length) > maxMembers && at > 0);
  return next === -1 ? all : all.slice(0, next);
};

export interface ReaperTools extends Omit<ReapingRecordTools, 'host' | 'isRunning' | 'portsInUse'> {
  readonly source: ProcessSource;
  readonly signaller: Signaller;
  /**
   * A clock that is never set, milliseconds, by which graces and pauses are counted: a wall clock
   * that is put forward would cut a grace short, one that is put back would never let it end. It
   * stands still while the machine sleeps, and so do the processes that were asked to end.
   */
  readonly steadyNow?: () => number;
  readonly vetoContext: (job: Job, look: Look) => VetoContext;
  /** Control groups with what agents left that have ended. Left out: there are none. */
  readonly leftGroups?: () => readonly LeftGroup[];
  /** Left out: what processes share counts for each in full. */
  readonly readShares?: ReadShares;
  /** True while nothing is to be ended by itself. */
  readonly paused?: () => boolean;
}

/**
 * Carries out reapings, many at once, all from the same looks. It never looks by itself: what
 * drives it (supervisor or command line) hands it a look when `needsLook` says so, until nothing is
 * in progress.
 */
export class Reaper {
  readonly #tools: ReaperTools;
  readonly #steadyNow: () => number;
  readonly #record: ReapingRecord<LocalReaping>;
  readonly #driver: ReapingDriver<LocalReaping, Look, undefined>;
  readonly #active = new Map<JobId, LocalReaping>();
  /** How many reapings fit into a part, as measured with the one before. */
  #together = minTogether;

  constructor(tools: ReaperTools) {
    this.#tools = tools;
    this.#steadyNow = tools.steadyNow ?? (() => performance.now());
    this.#record = new ReapingRecord({
      ...tools,
      host: localHost,
      portsInUse: () => tools.source.portsInUse(),
      isRunning: isRunningNow(tools.source),
    });
    const { source, now, leftGroups } = tools;
    const vetoContext = ({ judged }: LocalReaping, look: Look): VetoContext => tools.vetoContext(judged.job, look);
    this.#driver = new ReapingDriver(
      localDeliverer({ source, now, vetoContext, ...(leftGroups === undefined ? {} : { leftGroups }) }),
      this.#record,
      this.#steadyNow,
    );
  }

  get inProgress(): readonly Reaping<ProcessHandle>[] {
    return [...this.#active.values()];
  }

  /** Takes a reaping up; null when it is being reaped, or an automatic end lacks its notice. */
  start(order: ReapingOrder, judged: JudgedJob): LocalReaping | null {
    if (this.#active.has(order.job)) return null;
    const paused = (): boolean => this.#tools.paused?.() === true;
    const { readShares, signaller, source } = this.#tools;
    const moved = source.ends?.moved.bind(source.ends);
    const reaping = Reaping.admitted(order, judged, signaller, paused, moved, readShares);
    if (reaping !== null) this.#active.set(order.job, reaping);
    return reaping;
  }

  /** Ends the grace of this incident because the user is tired of waiting; as the record does. */
  endGrace(incident: string): boolean {
    return this.#record.endGrace(this.inProgress, incident);
  }

  /** True when only a look helps: an awaited moment came, or all held processes ended. */
  needsLook(): boolean {
    const now = this.#steadyNow();
    return this.inProgress.some(
      (reaping) =>
        now >= reaping.waitUntilMs || now - reaping.lastSightMs >= enumerateEveryMs || reaping.allHeldHaveEnded(),
    );
  }

  advance(look: Look): ReaperProgress {
    const all = [...this.advancing(look)];
    return { ended: all.flatMap(({ ended }) => ended), failed: all.flatMap(({ failed }) => failed) };
  }

  /**
   * The same a part at a time. A caller that looks at the machine in between must leave the rest to
   * that look: which processes came into a group is told from the latest.
   * @param sliceMs how long a part may take, roughly; a durable write in it takes what the disk
   *   takes
   */
  *advancing(look: Look, sliceMs = Infinity): Generator<LookStep, void> {
    const all = [...this.#active.values()];
    for (let at = 0; at < all.length;) {
      const batch = partOf(all.slice(at, at + (sliceMs === Infinity ? maxTogether : this.#together)));
      at += batch.length;
      const beganMs = performance.now();
      const results = yield* letOthersIn(this.#driver.pass(batch, look));
      this.#measure(batch.length, performance.now() - beganMs, sliceMs);
      yield { ...this.#takenOff(results), more: at < all.length };
    }
  }

  /** The next part is as large as this should have been; grows slowly, as signals cost more. */
  #measure(count: number, tookMs: number, sliceMs: number): void {
    const fitting = Math.floor((count * sliceMs) / Math.max(tookMs, 1));
    this.#together = Math.min(maxTogether, 2 * this.#together, Math.max(minTogether, fitting));
  }

  #takenOff(results: ReadonlyMap<LocalReaping, PassResult>): ReaperProgress {
    const ended: Incident[] = [];
    const failed: ReapingFailure[] = [];
    for (const [reaping, result] of results) {
      if (result !== 'ended' && typeof result === 'string') continue;
      const { job } = reaping.order;
      if (result !== 'ended') {
        failed.push({ job, error: result.error, intent: reaping.intent, left: reaping.left });
        reaping.came = { kind: 'failed', error: result.error };
      } else if (reaping.intent === null) reaping.came = { kind: 'failed', error: undefined };
      else {
        const incident = foldIncident(reaping.intent, reaping.events);
        ended.push(incident);
        reaping.came = { kind: 'ended', incident };
      }
      reaping.close();
      this.#active.delete(job);
    }
    return { ended, failed };
  }
}
