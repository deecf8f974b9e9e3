import { safeName } from '../../app/format/secrets/safe-view.ts';
import type { SignalRecord } from '../../app/history/incident.ts';
import type { RunTerms } from '../../app/model/job.ts';
import type { VetoContext } from '../../app/judge/veto-rule.ts';
import { listed, sayObjection } from '../../app/text/say.ts';
import { identityKey } from '../../app/process/identity.ts';
import { isSameLivingProcess } from '../../app/process/row.ts';
import type { SignalName } from '../../app/process/signal.ts';
import type { Order, Target } from '../../app/reap/target.ts';
import type { Look } from '../observing/look.ts';
import type { ProcessHandle } from '../os/processes/signaller.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import { confirmGroup, confirmTarget } from './confirmation.ts';
import { type Hands, type TargetConfirmation, deliverAction } from './deliver-orders.ts';
import type { Delivered, Deliverer, SignalAction } from './driver.ts';
import type { Reaping } from './reaping.ts';

export interface LocalTools {
  readonly source: ProcessSource;
  readonly vetoContext: (reaping: Reaping<ProcessHandle>, look: Look) => VetoContext;
  readonly now: () => number;
}

interface Delivery {
  readonly source: ProcessSource;
  readonly context: VetoContext;
  readonly reaping: Reaping<ProcessHandle>;
  readonly now: () => number;
}

const confirm = ({ source, context, reaping }: Delivery, target: Target): TargetConfirmation => {
  const handle = reaping.handle(target.key);
  if (handle === undefined || !handle.alive()) return { kind: 'gone' };
  const found = confirmTarget(
    source,
    context,
    reaping.judged.job,
    target,
    handle.identity.startTicks,
    reaping.abandonedAtStart,
  );
  return found.kind === 'vetoed' ? { kind: 'vetoed', why: listed(found.vetoes.map(sayObjection), '; ') } : found;
};

/**
 * The holds of a reaping are taken when a survey first shows a process, and are kept until its end.
 */
const handsOf = (delivery: Delivery): Hands => ({
  hold: ({ key }) => delivery.reaping.handle(key) ?? null,
  release: () => undefined,
  confirm: (target) => confirm(delivery, target),
  confirmGroup: ({ pgid, members }) => {
    if (members.some((target) => confirm(delivery, target).kind === 'vetoed')) return null;
    const { source, context, reaping } = delivery;
    const newcomers = confirmGroup(source, context, reaping.judged.job, pgid, members);
    return newcomers === null ? null : [...members, ...newcomers].map(({ pid }) => pid);
  },
  now: delivery.now,
});

/**
 * A run is asked through its own `curfew run`, which then ends every process of it in the run's own
 * way: its grace, its exit code, its lock. Asked again it doesn't wait for the grace. CONT follows,
 * because a stopped process hears nothing.
 */
const toRun = (delivery: Delivery, run: RunTerms, signal: SignalName): SignalRecord => {
  const { supervisor } = run;
  const { pid } = supervisor;
  const said = (result: SignalRecord['result'], note: string | null = null): SignalRecord => ({
    atMs: delivery.now(),
    signal: 'TERM',
    target: `its curfew run, process ${pid}`,
    pids: [pid],
    result,
    note: note === null ? null : safeName(note),
  });
  const handle = delivery.reaping.handle(identityKey(supervisor));
  const row = delivery.source.read(pid);
  if (handle === undefined || !handle.alive() || !isSameLivingProcess(row, supervisor)) return said('gone');
  if (row.uid !== delivery.context.uid) return said('vetoed', 'it belongs to another user');
  const result = handle.send('TERM');
  handle.send('CONT');
  return said(result, signal === 'KILL' ? 'its grace is over' : `it passes that on, and waits ${run.graceSeconds} s`);
};

const reaches = (orders: readonly Order[], pid: number): boolean =>
  orders.some((order) =>
    order.to === 'process' ? order.target.pid === pid : order.members.some((target) => target.pid === pid),
  );

const deliverNow = (delivery: Delivery, action: SignalAction): Delivered => {
  const { run } = delivery.reaping.judged.job;
  if (run === undefined) return deliverAction(handsOf(delivery), action);
  const records = reaches(action.orders, run.supervisor.pid) ? [toRun(delivery, run, action.signal)] : [];
  return { records, unanswered: null };
};

/**
 * Delivers signals to jobs of this machine, at once: nothing comes between a confirmation and its
 * signal.
 */
export const localDeliverer = (tools: LocalTools): Deliverer<Reaping<ProcessHandle>, Look, never> => ({
  // eslint-disable-next-line require-yield -- It waits for nothing.
  *deliver(reaping, look, action) {
    const { source, now } = tools;
    return deliverNow({ source, now, reaping, context: tools.vetoContext(reaping, look) }, action);
  },
});
