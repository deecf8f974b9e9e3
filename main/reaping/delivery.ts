import type { SignalRecord } from '../../app/history/incident.ts';
import type { RunTerms } from '../../app/jobs/model/job.ts';
import type { VetoContext } from '../../app/judge/veto-rule.ts';
import { sayVeto } from '../../app/text/vetoes.ts';
import type { SignalName } from '../../app/process/signal.ts';
import type { Order, Target } from '../../app/reap/target.ts';
import { identityKey } from '../../app/process/identity.ts';
import { hasEnded } from '../../app/process/row.ts';
import type { ProcessHandle } from '../os/processes/signaller.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import { confirmGroup, confirmTarget } from './confirmation.ts';
import type { Reaping } from './reaping.ts';

/** What signals are delivered with. */
export interface Delivery {
  readonly source: ProcessSource;
  readonly context: VetoContext;
  readonly reaping: Reaping<ProcessHandle>;
  readonly now: () => number;
}

const record = (
  { now }: Delivery,
  signal: SignalName,
  target: string,
  pids: readonly number[],
  result: SignalRecord['result'],
  note: string | null = null,
): SignalRecord => ({ atMs: now(), signal, target, pids, result, note });

const confirm = ({ source, context, reaping }: Delivery, target: Target): ReturnType<typeof confirmTarget> => {
  const handle = reaping.handle(target.key);
  if (handle === undefined || !handle.alive()) return { kind: 'gone' };
  return confirmTarget(source, context, reaping.judged.job, target, handle.identity.startTicks);
};

const toProcess = (delivery: Delivery, signal: SignalName, target: Target): SignalRecord => {
  const name = `process ${target.pid}`;
  const confirmation = confirm(delivery, target);
  if (confirmation.kind === 'vetoed')
    return record(delivery, signal, name, [target.pid], 'vetoed', confirmation.vetoes.map(sayVeto).join('; '));
  const handle = delivery.reaping.handle(target.key);
  if (confirmation.kind === 'gone' || handle === undefined) return record(delivery, signal, name, [target.pid], 'gone');
  const result = handle.send(signal);
  const note = result === 'refused' ? 'the system does not let this user signal it' : null;
  return record(delivery, signal, name, [target.pid], result, note);
};

/**
 * Delivers one order, every process confirmed immediately before. A group of which a member can't be confirmed, to which somebody came who
 * may not be signalled, or which the kernel can't signal safely as a group, is signalled one by one instead: then those who were confirmed hear it and nobody else.
 */
const deliverOrder = (delivery: Delivery, signal: SignalName, order: Order): readonly SignalRecord[] => {
  if (order.to === 'process') return [toProcess(delivery, signal, order.target)];
  const confirmations = order.members.map((target) => confirm(delivery, target));
  const handle = delivery.reaping.handle(order.leader);
  const newcomers = confirmGroup(
    delivery.source,
    delivery.context,
    delivery.reaping.judged.job,
    order.pgid,
    order.members,
  );
  if (handle !== undefined && newcomers !== null && confirmations.every((one) => one.kind !== 'vetoed')) {
    const result = handle.sendToGroup(signal);
    const pids = [...order.members, ...newcomers].map(({ pid }) => pid);
    if (result === 'sent') return [record(delivery, signal, `group ${order.pgid}`, pids, result)];
  }
  return order.members.map((target) => toProcess(delivery, signal, target));
};

/**
 * A run is asked through its own `curfew run`, which then ends everybody in the run's own way: its grace, its exit code, its lock. Asked again it doesn't wait
 * for the grace. CONT follows, because a stopped one hears nothing.
 */
const toRun = (delivery: Delivery, run: RunTerms, signal: SignalName): readonly SignalRecord[] => {
  const { supervisor } = run;
  if (signal === 'CONT') return [];
  const { pid } = supervisor;
  const handle = delivery.reaping.handle(identityKey(supervisor));
  const row = delivery.source.read(pid);
  const isIt = row !== null && row.startTicks === supervisor.startTicks && !hasEnded(row);
  const target = `its curfew run, process ${pid}`;
  if (handle === undefined || !handle.alive() || !isIt) return [record(delivery, 'TERM', target, [pid], 'gone')];
  if (row.uid !== delivery.context.uid)
    return [record(delivery, 'TERM', target, [pid], 'vetoed', 'it belongs to another user')];
  const result = handle.send('TERM');
  handle.send('CONT');
  const note = signal === 'KILL' ? 'its grace is over' : `it passes that on, and waits ${run.graceSeconds} s`;
  return [record(delivery, 'TERM', target, [pid], result, note)];
};

const reaches = (orders: readonly Order[], pid: number): boolean =>
  orders.some((order) =>
    order.to === 'process' ? order.target.pid === pid : order.members.some((target) => target.pid === pid),
  );

/** Delivers a signal to all its targets and says what became of each. */
export const deliver = (delivery: Delivery, signal: SignalName, orders: readonly Order[]): readonly SignalRecord[] => {
  const { run } = delivery.reaping.judged.job;
  if (run === undefined) return orders.flatMap((order) => deliverOrder(delivery, signal, order));
  return reaches(orders, run.supervisor.pid) ? toRun(delivery, run, signal) : [];
};
