import { signalNote } from '../../app/text/noted.ts';
import type { Said } from '../../app/format/said.ts';
import { say } from '../../app/text/say.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { foldIncident } from '../../app/history/fold.ts';
import type { Incident, SignalRecord } from '../../app/history/incident.ts';
import type { Job, JobId } from '../../app/model/job.ts';
import type { ProcessIdentity } from '../../app/process/identity.ts';
import { hasEnded } from '../../app/process/row.ts';
import type { SignalName } from '../../app/process/signal.ts';
import { rowOf } from '../../app/process/table.ts';
import type { Order, Target } from '../../app/reap/target.ts';
import type { JudgedJob, Look } from '../observing/look.ts';
import { lastLines } from '../output/output-file.ts';
import { awaited, driveToEnd, waitFor, type ReaperProgress } from '../reaping/drive.ts';
import {
  type Delivered,
  type Deliverer,
  type PassResult,
  ReapingDriver,
  type SignalAction,
} from '../reaping/driver.ts';
import type { ProcessHold } from '../reaping/holds.ts';
import { Reaping, type ReapingOrder } from '../reaping/reaping.ts';
import { ReapingRecord, type ReapingRecordTools } from '../reaping/record.ts';
import type { RemoteOrder, RemoteResult } from './answers/signals.ts';
import { HostFailure } from './host-failure.ts';
import type { RemoteHost } from './host.ts';

const notes: Readonly<Record<RemoteResult['result'], Said | null>> = {
  sent: null,
  gone: null,
  changed: say('it was no longer as it had been judged'),
  refused: say('the system does not let this user signal it'),
};

/** An order of a reaping for another machine, by identities of the look that it was given at. */
const remoteOrder = (look: Look, signal: SignalName, order: Order): RemoteOrder => {
  const identity = ({ pid }: Target): ProcessIdentity => {
    const row = look.table.rows.get(pid as ProcessIdentity['pid']);
    if (row === undefined) throw new TypeError(`process ${pid} is in no look`);
    return { bootId: look.table.bootId, pid: row.pid, startTicks: row.startTicks };
  };
  return order.to === 'group'
    ? { to: 'group', signal, group: order.pgid, members: order.members.map(identity) }
    : { to: 'process', signal, process: identity(order.target) };
};

/** The record's results, in orders' order; an order may have several, the last none. */
export const recordsOf = (
  orders: readonly RemoteOrder[],
  results: readonly RemoteResult[],
  atMs: number,
): readonly SignalRecord[] => {
  const records: SignalRecord[] = [];
  let at = 0;
  for (const order of orders) {
    const pids: ReadonlySet<number> = new Set(
      order.to === 'group' ? order.members.map(({ pid }) => pid) : [order.process.pid],
    );
    const { signal } = order;
    const left = new Set(pids);
    for (let result = results[at]; result !== undefined && left.size > 0; result = results[at]) {
      if (result.to === 'group') {
        if (order.to !== 'group' || order.group !== result.group || left.size < pids.size) break;
        records.push({ atMs, signal, target: `group ${result.group}`, pids: [...pids], result: 'sent', note: null });
        left.clear();
      } else {
        if (!left.delete(result.pid)) break;
        records.push({
          atMs,
          signal,
          target: `process ${result.pid}`,
          pids: [result.pid],
          result: result.result === 'changed' ? 'vetoed' : result.result,
          ...signalNote(notes[result.result]),
        });
      }
      at += 1;
    }
  }
  return records;
};

const targetsOf = (order: Order): readonly Target[] => (order.to === 'group' ? order.members : [order.target]);

/**
 * Delivers signals on another machine. The script over there confirms each process and each group
 * immediately before its signal; what no answer confirms is reported as unanswered, never as done.
 */
class RemoteDeliverer implements Deliverer<Reaping, Look, Promise<unknown>> {
  readonly #host: Pick<RemoteHost, 'signal' | 'output'>;
  readonly #now: () => number;
  readonly #tails = new Map<JobId, string | null>();

  /** @param now wall clock, milliseconds */
  constructor(host: Pick<RemoteHost, 'signal' | 'output'>, now: () => number) {
    this.#host = host;
    this.#now = now;
  }

  *deliver(
    { abandonedAtStart, judged }: Reaping,
    look: Look,
    { signal, orders: wanted, resume }: SignalAction,
  ): Generator<Promise<unknown>, Delivered, unknown> {
    const orders = [
      ...wanted.map((order) => remoteOrder(look, signal, order)),
      ...resume.map((order) => remoteOrder(look, 'CONT', order)),
    ];
    const { results, broken } = yield* waitFor(this.#host.signal(orders, abandonedAtStart ? judged.job : null));
    const records = recordsOf(orders, results, this.#now());
    const answered = new Set(records.flatMap(({ pids }) => pids));
    const keys = wanted
      .flatMap(targetsOf)
      .filter(({ pid }) => !answered.has(pid))
      .map(({ key }) => key);
    const why = broken === null ? 'no answer tells' : broken.message;
    return { records, unanswered: keys.length === 0 ? null : { keys: new Set(keys), why } };
  }

  /** Fetches the last lines of what the job printed: after the record of its end it is too late. */
  *beforeEnd({ intent, judged }: Reaping): Generator<Promise<unknown>, void, unknown> {
    const { id, output } = judged.job;
    this.#tails.set(id, intent === null || output === null ? null : yield* waitFor(this.#tail(output)));
  }

  /** The last lines that `beforeEnd` fetched, once; null: there are none. */
  tailOf(id: Job['id']): string | null {
    const tail = this.#tails.get(id) ?? null;
    this.#tails.delete(id);
    return tail;
  }

  /** A machine that doesn't tell them holds nothing up. */
  async #tail(path: string): Promise<string | null> {
    try {
      const end = await this.#host.output(path);
      return end === null ? null : lastLines(Buffer.from(end.bytes, 'latin1').toString('utf8'));
    } catch (error) {
      if (error instanceof HostFailure) return null;
      throw error;
    }
  }
}

/** While processes end over there, they are looked at so often, milliseconds. */
const pollMs = 500;
/** Pauses, milliseconds, before a machine that broke off in a reaping is asked again. */
const retryPausesMs = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

/**
 * Whether a look shows no process in the group that this one led. Another leader of that number
 * shows that the group was empty in between: the kernel gives out no number that a group has.
 */
const hasEmptyGroup = ({ table }: Look, { pid, startTicks }: ProcessIdentity): boolean => {
  const leader = table.rows.get(pid);
  if (leader !== undefined && leader.startTicks !== startTicks) return true;
  for (const row of table.rows.values()) if (Number(row.pgid) === Number(pid) && !hasEnded(row)) return false;
  return true;
};

export interface RemoteReaperTools extends Pick<ReapingRecordTools, 'journal' | 'now' | 'writer' | 'isRunning'> {
  readonly host: Pick<RemoteHost, 'host' | 'look' | 'signal' | 'output' | 'portsInUse'>;
  /** True while nothing is to be ended by itself. */
  readonly paused: () => boolean;
}

/**
 * Ends jobs on another machine, by the same plan, state machine and record as here. A look is
 * fetched before each step; each signal is confirmed over there immediately before. What no answer
 * confirmed is not taken for done.
 */
export class RemoteReaper {
  readonly #tools: RemoteReaperTools;
  readonly #record: ReapingRecord;
  readonly #active = new Map<JobId, { readonly reaping: Reaping; readonly ended: Promise<void> }>();
  /** Is told every look that is made while something is being ended. */
  onLook: (look: Look) => void = () => undefined;
  /** Is told what came to its end, as it does. */
  onProgress: (progress: ReaperProgress) => void = () => undefined;
  #latest: Look | null = null;
  readonly #stopping = new AbortController();
  readonly #driver: ReapingDriver<Reaping, Look, Promise<unknown>>;

  constructor(tools: RemoteReaperTools) {
    this.#tools = tools;
    const deliverer = new RemoteDeliverer(tools.host, tools.now);
    this.#record = new ReapingRecord({
      ...tools,
      host: tools.host.host,
      outputTail: ({ id }) => deliverer.tailOf(id),
      portsInUse: () => tools.host.portsInUse(),
      outputToTellIn: () => null,
      tellAgent: () => ({ told: false, text: '' }),
    });
    this.#driver = new ReapingDriver(deliverer, this.#record, () => performance.now());
  }

  get inProgress(): readonly Reaping[] {
    return [...this.#active.values()].map(({ reaping }) => reaping);
  }

  /** Ends the grace of this incident; false: none is in its grace. Throws as the journal does. */
  endGrace(incident: string): boolean {
    return this.#record.endGrace(this.inProgress, incident);
  }

  /** Reapings go on, but a machine that breaks off is waited for no longer. */
  stop(): void {
    this.#stopping.abort();
  }

  /**
   * Takes a reaping up; null when the job is being ended already, or when no notice was given of
   * an automatic end. The intent is on disk, or could not be written, when this returns; what
   * comes of it `onProgress` is told. When the machine is lost in the middle the incident stays
   * open until a later look completes it.
   * @param look the one that the job was judged at
   */
  start(order: ReapingOrder, judged: JudgedJob, look: Look): Reaping | null {
    if (this.#active.has(order.job)) return null;
    const opener = { open: (identity: ProcessIdentity) => this.#hold(identity) };
    const reaping = Reaping.admitted(order, judged, opener, this.#tools.paused);
    if (reaping === null) return null;
    this.#latest = look;
    const over = (came: NonNullable<Reaping['came']>, progress: ReaperProgress): void => {
      reaping.came = came;
      reaping.close();
      this.#active.delete(order.job);
      this.onProgress(progress);
    };
    const ended = this.#carryOut(reaping, look).then(
      (incident) => over({ kind: 'ended', incident }, { ended: [incident], failed: [] }),
      (error: unknown) => {
        const left = reaping.intent === null ? judged.job.members.length : reaping.left;
        const failure = { job: order.job, error, intent: reaping.intent, left };
        over({ kind: 'failed', error }, { ended: [], failed: [failure] });
      },
    );
    this.#active.set(order.job, { reaping, ended });
    return reaping;
  }

  /** Resolves when the reaping of that job is over; at once where there is none. */
  async over(job: JobId): Promise<void> {
    await this.#active.get(job)?.ended;
  }

  /** Resolves when nothing is being ended any more. */
  async idle(): Promise<void> {
    await Promise.all([...this.#active.values()].map(({ ended }) => ended));
  }

  async #carryOut(reaping: Reaping, first: Look): Promise<Incident> {
    let result: PassResult = 'recorded';
    const advance = async (look: Look): Promise<boolean> => {
      result = (await awaited(this.#driver.pass([reaping], look))).get(reaping) ?? 'waits';
      if (typeof result === 'object') throw result.error;
      return result !== 'ended';
    };
    await driveToEnd(first, advance, async () => {
      if (result === 'waits') await sleep(Math.max(0, Math.min(reaping.waitUntilMs - performance.now(), pollMs)));
      return this.#lookAgain(reaping);
    });
    if (reaping.intent === null) throw new TypeError('a reaping ended without an intent');
    return foldIncident(reaping.intent, reaping.events);
  }

  /** Alive as long as the latest look shows it: what could not be looked at has not ended. */
  #hold(identity: ProcessIdentity): ProcessHold | null {
    const alive = (): boolean => {
      if (this.#latest === null) return true;
      const row = rowOf(this.#latest.table, identity);
      return row !== null && !hasEnded(row);
    };
    const groupIsEmpty = (): boolean => this.#latest !== null && hasEmptyGroup(this.#latest, identity);
    return alive() ? { identity, alive, groupIsEmpty, close: () => undefined } : null;
  }

  /** The next look; a machine that breaks off is asked again for a while. */
  async #lookAgain(reaping: Reaping): Promise<Look> {
    for (let attempt = 0; ; attempt++) {
      try {
        const look = await this.#tools.host.look();
        this.#latest = look;
        this.onLook(look);
        const boot = reaping.intent?.bootId;
        if (boot !== undefined && boot !== look.table.bootId)
          throw new HostFailure(this.#tools.host.host, {
            code: 'other',
            detail: say('it was started anew in the middle'),
          });
        return look;
      } catch (error) {
        const pauseMs = retryPausesMs[attempt];
        if (
          !(error instanceof HostFailure) ||
          this.#stopping.signal.aborted ||
          pauseMs === undefined ||
          error.problem.code === 'other'
        )
          throw error;
        const { signal } = this.#stopping;
        await sleep(pauseMs * (1 + Math.random() / 4), undefined, { signal }).catch(() => undefined);
      }
    }
  }
}
