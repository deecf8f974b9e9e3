import { signalNote } from '../../app/text/noted.ts';
import type { Said } from '../../app/format/said.ts';
import type { SignalRecord } from '../../app/history/incident.ts';
import { isStillAbandoned } from '../../app/jobs/measure/still-abandoned.ts';
import type { Veto } from '../../app/judge/verdict.ts';
import { type VetoContext, veto } from '../../app/judge/veto-rule.ts';
import { roleOf, vetoesOfProcess } from '../../app/judge/vetoes/vetoes-of.ts';
import type { Job, RunTerms } from '../../app/model/job.ts';
import { asPid, identityKey } from '../../app/process/identity.ts';
import { type ProcessRow, hasEnded, isSameLivingProcess } from '../../app/process/row.ts';
import type { SignalName } from '../../app/process/signal.ts';
import type { Order, Target } from '../../app/reap/target.ts';
import { listed, say, sayObjection } from '../../app/text/say.ts';
import type { Look } from '../observing/look.ts';
import type { ProcessHandle } from '../os/processes/signaller.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import { type Hands, type TargetConfirmation, deliverAction } from './deliver-orders.ts';
import type { Delivered, Deliverer, SignalAction } from './driver.ts';
import type { Reaping } from './reaping.ts';
import { killLeftGroup, type LeftGroup } from './whole-group.ts';

export type Confirmation =
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'vetoed'; readonly vetoes: readonly Veto[] };

const vetoesNow = (source: ProcessSource, context: VetoContext, job: Job, row: ProcessRow): readonly Veto[] =>
  vetoesOfProcess(row, source.facts([row]).get(row.pid) ?? null, roleOf(row, job, context.rows), context);

/**
 * Asks again whether no process can speak to one of an abandoned server, past every cache. What
 * can't be seen counts as spoken to.
 */
const speakingVeto = (source: ProcessSource, { rows }: VetoContext, job: Job, row: ProcessRow): Veto | null => {
  const round = source.channels?.();
  const facts = source.facts([row]).get(row.pid);
  const sockets = source.sockets;
  if (round === undefined || facts === undefined || sockets === undefined) return veto('server-in-use', row);
  const asked = { pid: row.pid, files: facts.openFiles, ports: new Set(facts.ports) };
  const clients = sockets.possibleClients([asked]).flat();
  return isStillAbandoned(row, { job, rows, round, clients }) ? null : veto('server-in-use', row);
};

/**
 * Reads a process again, past every cache, and asks every veto again. Called with the process
 * already held (pidfd), immediately before each signal, the last KILL included: whatever happened
 * since the look, a pid that became another process's is not hit.
 * @param abandoned it is of a server that is ended because no process can speak to it
 */
export const confirmTarget = (
  source: ProcessSource,
  context: VetoContext,
  job: Job,
  target: Target,
  startTicks: number,
  abandoned = false,
): Confirmation => {
  const row = source.read(asPid(target.pid));
  if (!isSameLivingProcess(row, { startTicks })) return { kind: 'gone' };
  const spoken = abandoned ? speakingVeto(source, context, job, row) : null;
  const vetoes = [...vetoesNow(source, context, job, row), ...(spoken === null ? [] : [spoken])];
  return vetoes.length > 0 ? { kind: 'vetoed', vetoes } : { kind: 'confirmed' };
};

/**
 * Whether a group still is what was judged: every process that came into it since the look is read
 * and asked every veto as well. A signal to the group would reach it: a child of the job that was
 * started with CURFEW_KEEP=1 while the intent went to disk was sent TERM. Gives the newcomers, or
 * null where one of them may not be signalled or where it can't be told which came.
 */
export const confirmGroup = (
  source: ProcessSource,
  context: VetoContext,
  job: Job,
  pgid: number,
  judged: readonly Target[],
): readonly ProcessRow[] | null => {
  const known = new Set(judged.map(({ pid }) => pid));
  const newcomers = source
    .startedSinceScan()
    ?.filter((row) => row.pgid === pgid && !known.has(row.pid) && !hasEnded(row));
  if (newcomers === undefined) return null;
  return newcomers.every((row) => vetoesNow(source, context, job, row).length === 0) ? newcomers : null;
};

export interface LocalTools {
  readonly source: ProcessSource;
  readonly vetoContext: (reaping: Reaping<ProcessHandle>, look: Look) => VetoContext;
  readonly now: () => number;
  readonly leftGroups?: () => readonly LeftGroup[];
}

interface Delivery {
  readonly source: ProcessSource;
  readonly context: VetoContext;
  readonly reaping: Reaping<ProcessHandle>;
  readonly now: () => number;
  /** It is an older set that was used since it was offered. */
  readonly used: boolean;
  readonly look: Look;
  readonly leftGroups: () => readonly LeftGroup[];
}

const confirm = ({ source, context, reaping, used }: Delivery, target: Target): TargetConfirmation => {
  const handle = reaping.handle(target.key);
  if (handle === undefined || !handle.alive()) return { kind: 'gone' };
  if (used) return { kind: 'vetoed', why: sayObjection({ code: 'used-since', figures: {} }) };
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

/** A reaping's holds are taken when a survey first shows a process, and kept to its end. */
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
  const said = (result: SignalRecord['result'], note: Said | null = null): SignalRecord => ({
    atMs: delivery.now(),
    signal: 'TERM',
    target: `its curfew run, process ${pid}`,
    pids: [pid],
    result,
    ...signalNote(note),
  });
  const handle = delivery.reaping.handle(identityKey(supervisor));
  const row = delivery.source.read(pid);
  if (handle === undefined || !handle.alive() || !isSameLivingProcess(row, supervisor)) return said('gone');
  if (row.uid !== delivery.context.uid) return said('vetoed', say('it belongs to another user'));
  const result = handle.send('TERM');
  handle.send('CONT');
  const waits = say('it passes that on, and waits {seconds} s', { seconds: run.graceSeconds });
  return said(result, signal === 'KILL' ? say('its grace is over') : waits);
};

const reaches = (orders: readonly Order[], pid: number): boolean =>
  orders.some((order) =>
    order.to === 'process' ? order.target.pid === pid : order.members.some((target) => target.pid === pid),
  );

/** What is killed with its control group needs no signal of its own. */
const killWhole = (delivery: Delivery, action: SignalAction): Delivered => {
  const targets = action.orders.flatMap((order) => (order.to === 'process' ? [order.target] : order.members));
  const isVetoed = (target: Target): boolean => confirm(delivery, target).kind === 'vetoed';
  const whole = killLeftGroup({ ...delivery, isVetoed }, delivery.leftGroups(), targets);
  if (whole === null) return deliverAction(handsOf(delivery), action);
  const { path, pids } = whole;
  const left = targets.filter(({ pid }) => !pids.includes(pid));
  const orders = left.map((target): Order => ({ to: 'process', target }));
  const { records } = deliverAction(handsOf(delivery), { ...action, orders });
  const signal = { signal: action.signal, target: `cgroup ${path}`, pids, result: 'sent', note: null } as const;
  return { records: [{ atMs: delivery.now(), ...signal }, ...records], unanswered: null };
};

const deliverNow = (delivery: Delivery, action: SignalAction): Delivered => {
  const { run } = delivery.reaping.judged.job;
  if (run === undefined)
    return action.signal === 'KILL' ? killWhole(delivery, action) : deliverAction(handsOf(delivery), action);
  const records = reaches(action.orders, run.supervisor.pid) ? [toRun(delivery, run, action.signal)] : [];
  return { records, unanswered: null };
};

/**
 * With more processes than this a job is signalled at a look of its own after its record, and
 * others get a turn in between: to hold, record and confirm 500 took 1.2 s in one piece, and no
 * window was answered meanwhile.
 */
const maxAtOnce = 50;

const isCrowd = ({ judged }: Reaping<ProcessHandle>): boolean => judged.job.members.length > maxAtOnce;

/** Delivers signals here, at once: nothing comes between a confirmation and its signal. */
export const localDeliverer = (tools: LocalTools): Deliverer<Reaping<ProcessHandle>, Look, undefined> => ({
  surveysAfterIntent: isCrowd,
  *afterSurvey(batch) {
    if (batch.some(isCrowd)) yield undefined;
  },
  // eslint-disable-next-line require-yield -- It waits for nothing.
  *deliver(reaping, look, action) {
    const { source, now } = tools;
    // The whole set before the first of its signals: after that the others may run because of it.
    const context = tools.vetoContext(reaping, look);
    const used = reaping.isUsedSince();
    if (action.signal === 'KILL' && !used) reaping.noteKill();
    const leftGroups = tools.leftGroups ?? (() => []);
    return deliverNow({ source, now, reaping, context, used, look, leftGroups }, action);
  },
});
