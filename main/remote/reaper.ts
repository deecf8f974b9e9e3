import { setTimeout as sleep } from 'node:timers/promises';
import { foldIncident } from '../../app/history/fold.ts';
import type { Incident } from '../../app/history/incident.ts';
import type { ProcessIdentity } from '../../app/process/identity.ts';
import { hasEnded } from '../../app/process/row.ts';
import { rowOf } from '../../app/process/table.ts';
import type { ReapingAction, ReapingState } from '../../app/reap/machine.ts';
import { nextReapingStep } from '../../app/reap/machine.ts';
import type { JobId } from '../../app/jobs/model/job.ts';
import type { Order, Target } from '../../app/reap/target.ts';
import type { JudgedJob, Look } from '../observing/look.ts';
import { lastLines } from '../output/output-file.ts';
import type { ProcessHold, ReapingOrder } from '../reaping/reaping.ts';
import { Reaping } from '../reaping/reaping.ts';
import type { ReapingRecordTools } from '../reaping/record.ts';
import { ReapingRecord } from '../reaping/record.ts';
import type { RemoteHost } from './host.ts';
import { HostFailure } from './host-failure.ts';
import { recordsOf, remoteOrder } from './answers/signal-records.ts';

/** While processes end over there, they are looked at so often, milliseconds. */
const pollMs = 500;
/** A machine that breaks off in the middle of a reaping is asked again so often, with these pauses between, milliseconds. */
const retryPausesMs = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

/** After so many breaks the grace goes on whatever was heard: a reaping must end. */
const mostAskedAgain = 3;

/** What reaping on another machine works with. */
export interface RemoteReaperTools extends Pick<ReapingRecordTools, 'journal' | 'now' | 'writer' | 'isRunning'> {
  readonly host: Pick<RemoteHost, 'host' | 'look' | 'signal' | 'output'>;
  /** True while nothing is to be ended by itself. */
  readonly paused?: () => boolean;
}

type SignalAction = Extract<ReapingAction, { readonly kind: 'signal' }>;

/** Pids that a signal did not reach: nothing is known of `unknown`, and `changed` were spared. */
interface Missed {
  readonly unknown: ReadonlySet<number>;
  readonly changed: ReadonlySet<number>;
}

const targetsOf = (order: Order): readonly Target[] => (order.to === 'group' ? order.members : [order.target]);

/**
 * Ends jobs on another machine, by the same plan, state machine and record as here. A look is fetched before each step; each signal is confirmed over there
 * immediately before. What no answer confirmed is not taken for done.
 */
export class RemoteReaper {
  readonly #tools: RemoteReaperTools;
  readonly #record: ReapingRecord;
  readonly #active = new Map<string, Reaping>();
  /** Is told every look that is made while something is being ended. */
  onLook: (look: Look) => void = () => undefined;
  #latest: Look | null = null;
  readonly #stopping = new AbortController();
  /** The last lines of jobs that are just being ended. */
  readonly #tails = new Map<JobId, string | null>();

  constructor(tools: RemoteReaperTools) {
    this.#tools = tools;
    this.#record = new ReapingRecord({
      ...tools,
      host: tools.host.host,
      outputTail: ({ id }) => this.#tails.get(id) ?? null,
      outputToTellIn: () => null,
      tellAgent: () => ({ told: false, text: '' }),
    });
  }

  /** Jobs that are being reaped now. */
  get inProgress(): readonly Reaping[] {
    return [...this.#active.values()];
  }

  /** Ends the grace of a reaping, by the id of its incident; false when there is none in its grace. Throws what the journal throws. */
  endGrace(incident: string): boolean {
    const reaping = this.inProgress.find((one) => one.intent?.id === incident);
    if (reaping?.state.phase !== 'asked') return false;
    if (reaping.plan.graceMs === 0) return true;
    const text = 'The person ended the grace early: what was left was to be killed at once.';
    this.#record.append(reaping, { kind: 'note', atMs: this.#tools.now(), text });
    reaping.endGrace();
    return true;
  }

  /** Reapings go on, but a machine that breaks off is waited for no longer. */
  stop(): void {
    this.#stopping.abort();
  }

  /**
   * Ends a job. Resolves with the complete incident. Throws HostFailure when the machine was lost in the middle: the incident then stays open until a later look
   * completes it; throws what the journal throws, and then signals nothing more.
   * @param look the one that the job was judged at
   */
  async reap(order: ReapingOrder, judged: JudgedJob, look: Look): Promise<Incident> {
    if (this.#active.has(order.job)) throw new TypeError(`job ${order.job} is being ended already`);
    this.#latest = look;
    const reaping = new Reaping(order, judged, { open: (identity) => this.#hold(identity) });
    this.#active.set(order.job, reaping);
    try {
      return await this.#carryOut(reaping, look);
    } finally {
      reaping.close();
      this.#active.delete(order.job);
      this.#tails.delete(order.job);
    }
  }

  async #carryOut(reaping: Reaping, first: Look): Promise<Incident> {
    let look = first;
    let broke = 0;
    for (;;) {
      const sight = reaping.sight(look, performance.now(), this.#tools.paused?.() === true);
      const { state, action } = nextReapingStep(reaping.state, sight, reaping.plan, performance.now());
      switch (action.kind) {
        case 'journal':
          this.#record.begin(reaping, look);
          reaping.state = state;
          break;
        case 'signal': {
          const missed = await this.#signal(reaping, look, action);
          reaping.state = state;
          look = await this.#lookAgain(reaping);
          if (missed.unknown.size > 0) broke += 1;
          reaping.state = withoutMissed(state, missed, broke <= mostAskedAgain ? performance.now() : null);
          break;
        }
        case 'wait':
          reaping.state = state;
          await sleep(Math.max(0, Math.min(action.untilMs - performance.now(), pollMs)));
          look = await this.#lookAgain(reaping);
          break;
        case 'end':
          reaping.state = state;
          this.#tails.set(reaping.judged.job.id, await this.#tail(reaping));
          this.#record.end(reaping, look, sight, action.outcome);
          if (reaping.intent === null) throw new TypeError('a reaping ended without an intent');
          return foldIncident(reaping.intent, reaping.events);
      }
    }
  }

  /** Alive as long as the latest look shows it: what could not be looked at has not ended. */
  #hold(identity: ProcessIdentity): ProcessHold | null {
    const alive = (): boolean => {
      if (this.#latest === null) return true;
      const row = rowOf(this.#latest.table, identity);
      return row !== null && !hasEnded(row);
    };
    return alive() ? { identity, alive, close: () => undefined } : null;
  }

  /** The last lines of what it printed, for the record; a machine that doesn't tell them holds nothing up. */
  async #tail({ intent, judged }: Reaping): Promise<string | null> {
    const path = judged.job.output;
    if (intent === null || path === null) return null;
    try {
      const end = await this.#tools.host.output(path);
      return end === null ? null : lastLines(Buffer.from(end.bytes, 'latin1').toString('utf8'));
    } catch (error) {
      if (error instanceof HostFailure) return null;
      throw error;
    }
  }

  /** Sends, records the results, and returns whom it did not reach. */
  async #signal(reaping: Reaping, look: Look, action: SignalAction): Promise<Missed> {
    const orders = [
      ...action.orders.map((order) => remoteOrder(look, action.signal, order)),
      ...action.resume.map((order) => remoteOrder(look, 'CONT', order)),
    ];
    const { results, broken } = await this.#tools.host.signal(orders);
    const records = recordsOf(orders, results, this.#tools.now());
    this.#record.signalled(reaping, records);
    const told = new Set(records.flatMap(({ pids }) => pids));
    const unknown = action.orders
      .flatMap(targetsOf)
      .map(({ pid }) => pid)
      .filter((pid) => !told.has(pid));
    if (unknown.length > 0) {
      reaping.resultsAreMissing = true;
      const why = broken === null ? 'no answer tells' : broken.message;
      const text = `It is not known whether ${action.signal} reached ${unknown.join(', ')}: ${why}.`;
      this.#record.append(reaping, { kind: 'note', atMs: this.#tools.now(), text });
    }
    const changed = records.filter(({ result }) => result === 'vetoed').flatMap(({ pids }) => pids);
    return { unknown: new Set(unknown), changed: new Set(changed) };
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
          throw new HostFailure(this.#tools.host.host, { code: 'other', detail: 'it was started anew in the middle' });
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

/**
 * Whom the first signal is not known to have reached, or who was somebody else just then, is asked when the next look finds him due; after a break the whole
 * grace counts anew (`nowMs`, null: no more), so that nobody is killed who was not asked.
 */
const withoutMissed = (state: ReapingState, { unknown, changed }: Missed, nowMs: number | null): ReapingState => {
  if (state.phase !== 'asked') return state;
  const missed = (key: string): boolean => {
    const pid = Number(key.split(':').at(-2));
    return unknown.has(pid) || changed.has(pid);
  };
  const asked = new Set([...state.asked].filter((key) => !missed(key)));
  return { ...state, asked, askedAtMs: unknown.size > 0 && nowMs !== null ? nowMs : state.askedAtMs };
};
