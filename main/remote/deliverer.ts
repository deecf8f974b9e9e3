import type { Job, JobId } from '../../app/model/job.ts';
import type { Order, Target } from '../../app/reap/target.ts';
import type { Look } from '../observing/look.ts';
import { lastLines } from '../output/output-file.ts';
import { waitFor } from '../reaping/drive.ts';
import type { Delivered, Deliverer, SignalAction } from '../reaping/driver.ts';
import type { Reaping } from '../reaping/reaping.ts';
import { recordsOf, remoteOrder } from './answers/signal-records.ts';
import { HostFailure } from './host-failure.ts';
import type { RemoteHost } from './host.ts';

const targetsOf = (order: Order): readonly Target[] => (order.to === 'group' ? order.members : [order.target]);

/**
 * Delivers signals on another machine. The script over there confirms each process and each group
 * immediately before its signal; what no answer confirms is reported as unanswered, never as done.
 */
export class RemoteDeliverer implements Deliverer<Reaping, Look, Promise<unknown>> {
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
