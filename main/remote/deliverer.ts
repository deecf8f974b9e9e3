import type { Job, JobId } from '../../app/model/job.ts';
import type { Order, Target } from '../../app/reap/target.ts';
import type { Look } from '../observing/look.ts';
import { lastLines } from '../output/output-file.ts';
import { waitFor } from '../reaping/drive.ts';
import type { Delivered, Deliverer, SignalAction } from '../reaping/driver.ts';
import type { Reaping } from '../reaping/reaping.ts';
import { HostFailure } from './host-failure.ts';
import type { RemoteHost } from './host.ts';
import { safeName } from '../../app/format/secrets/safe-view.ts';
import type { SignalRecord } from '../../app/history/incident.ts';
import type { ProcessIdentity } from '../../app/process/identity.ts';
import type { SignalName } from '../../app/process/signal.ts';
import type { RemoteOrder, RemoteResult } from './answers/signals.ts';

const notes: Readonly<Record<RemoteResult['result'], string | null>> = {
  sent: null,
  gone: null,
  changed: 'it was no longer as it had been judged',
  refused: 'the system does not let this user signal it',
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

/**
 * What the record keeps of the results. Results come in the order of the orders; one order may have
 * several, and the last may have none.
 */
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
        const note = notes[result.result];
        records.push({
          atMs,
          signal,
          target: `process ${result.pid}`,
          pids: [result.pid],
          result: result.result === 'changed' ? 'vetoed' : result.result,
          note: note === null ? null : safeName(note),
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
