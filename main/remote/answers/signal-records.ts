import { safeName } from '../../../app/format/secrets/safe-view.ts';
import type { SignalRecord } from '../../../app/history/incident.ts';
import type { ProcessIdentity } from '../../../app/process/identity.ts';
import type { SignalName } from '../../../app/process/signal.ts';
import type { Order, Target } from '../../../app/reap/target.ts';
import type { Look } from '../../observing/look.ts';
import type { RemoteOrder, RemoteResult } from './signals.ts';

const notes: Readonly<Record<RemoteResult['result'], string | null>> = {
  sent: null,
  gone: null,
  changed: 'it was no longer as it had been judged',
  refused: 'the system does not let this user signal it',
};

/** An order of a reaping for another machine, by identities of the look that it was given at. */
export const remoteOrder = (look: Look, signal: SignalName, order: Order): RemoteOrder => {
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
