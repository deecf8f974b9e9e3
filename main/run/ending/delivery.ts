import type { SignalRecord } from '../../../app/history/incident.ts';
import type { Pid } from '../../../app/process/identity.ts';
import { identityOf } from '../../../app/process/table.ts';
import type { ReapingAction } from '../../../app/reap/machine.ts';
import type { SignalName } from '../../../app/process/signal.ts';
import type { Order, Target } from '../../../app/reap/target.ts';
import type { CommandLauncher } from '../../os/programs/command-launcher.ts';
import type { RunCgroup } from '../../os/linux/control/cgroup.ts';
import type { Signaller, SignalResult } from '../../os/processes/signaller.ts';
import type { RunIncident } from './incident.ts';
import type { RunMembers, RunView } from '../members/view.ts';

/** What the processes of a run are ended with. */
export interface EndingTools {
  readonly view: RunView;
  readonly signaller: Signaller;
  readonly cgroup: RunCgroup | null;
  readonly launcher: Pick<CommandLauncher, 'waitForChildren' | 'killGroup'>;
  /** Notes signals: before the first what is intended, after each what became of it. */
  readonly note: (line: unknown) => void;
  /** True once whoever asked for the end has asked again: the grace is over. */
  readonly hurried?: () => boolean;
  /** Its record in the history; null where its end is none that belongs there. */
  readonly incident: RunIncident | null;
}

const toProcess = (
  tools: EndingTools,
  sight: RunMembers,
  target: Target,
  signal: SignalName,
): SignalRecord['result'] => {
  const member = sight.members.get(target.pid as Pid);
  if (member === undefined) return 'gone';
  // The hold is taken first and the identity compared after it, immediately before the signal.
  const handle = tools.signaller.open(identityOf(sight.table, member.row));
  if (handle === null) return 'gone';
  try {
    // Another program or session than a moment ago: it is judged anew.
    if (!tools.view.isAsSeen(member.row) && !isTarget(tools.view.look(), target)) return 'vetoed';
    return handle.send(signal);
  } finally {
    handle.close();
  }
};

const isTarget = (sight: RunMembers, { key }: Target): boolean => sight.living.some((one) => one.key === key);

/** Whether the group still consists of what may be signalled. */
const isWhole = (
  tools: EndingTools,
  sight: RunMembers,
  { pgid, members }: Extract<Order, { to: 'group' }>,
): boolean => {
  const rows = members.map(({ pid }) => sight.members.get(pid as Pid)?.row);
  const asSeen = rows.every((row) => row !== undefined && tools.view.isAsSeen(row));
  if (asSeen && !tools.view.mayHaveGrown(pgid)) return true;
  return !tools.view.look().sharedGroups.has(pgid);
};

const toGroup = (
  tools: EndingTools,
  sight: RunMembers,
  order: Extract<Order, { to: 'group' }>,
  signal: SignalName,
): SignalResult | 'unsupported' => {
  const leader = sight.members.get(order.pgid as Pid);
  if (leader === undefined) return 'gone';
  const handle = tools.signaller.open(identityOf(sight.table, leader.row));
  if (handle === null) return 'gone';
  try {
    if (!isWhole(tools, sight, order)) return 'unsupported';
    return handle.sendToGroup(signal);
  } finally {
    handle.close();
  }
};

const recordOf = (
  signal: SignalName,
  target: string,
  pids: readonly number[],
  result: SignalRecord['result'],
  note: string | null = null,
): SignalRecord => ({ atMs: Date.now(), signal, target, pids, result, note });

const deliverOrder = (
  tools: EndingTools,
  sight: RunMembers,
  order: Order,
  signal: SignalName,
): readonly SignalRecord[] => {
  const one = (target: Target): SignalRecord =>
    recordOf(signal, `process ${target.pid}`, [target.pid], toProcess(tools, sight, target, signal));
  if (order.to === 'process') return [one(order.target)];
  const pids = order.members.map(({ pid }) => pid);
  const result = toGroup(tools, sight, order, signal);
  return result === 'sent' ? [recordOf(signal, `group ${order.pgid}`, pids, result)] : order.members.map(one);
};

/** One process that can't be held must not keep the others from being ended; it is tried again in the next round. */
const tryOrder = (tools: EndingTools, sight: RunMembers, order: Order, signal: SignalName): readonly SignalRecord[] => {
  try {
    return deliverOrder(tools, sight, order, signal);
  } catch (error) {
    const pids = order.to === 'process' ? [order.target.pid] : order.members.map(({ pid }) => pid);
    return [recordOf(signal, `${order.to} ${pids.join(', ')}`, pids, 'refused', String(error))];
  }
};

/** Whether every process in the control group is one that may be killed. */
const isAllJudged = (cgroup: RunCgroup, sight: RunMembers): boolean => {
  const targets = new Set(sight.living.map(({ pid }) => pid));
  return sight.spared.length === 0 && cgroup.pids()?.every((pid) => targets.has(pid)) === true;
};

/** Carries out one step: sends its signals, each after a last look at what it would hit, and records what became of them. */
export const deliver = (
  tools: EndingTools,
  sight: RunMembers,
  action: Extract<ReapingAction, { kind: 'signal' }>,
): void => {
  const sent: SignalRecord[] = [];
  const everybody = sight.living.map(({ pid }) => pid);
  // A control group is killed as one, which no fork outruns; not when a process in it is to be left alone, or was not judged.
  if (action.signal === 'KILL' && tools.cgroup !== null && isAllJudged(tools.cgroup, sight) && tools.cgroup.kill())
    sent.push(recordOf('KILL', `cgroup ${tools.cgroup.path}`, everybody, 'sent'));
  for (const order of action.orders) sent.push(...tryOrder(tools, sight, order, action.signal));
  // Whoever forks and exits all the time is gone before it can be held; its group is killed as one, while one of its ended children keeps the id from being another's.
  if (action.signal === 'KILL')
    for (const group of sight.ownGroups)
      if (tools.launcher.killGroup(group)) sent.push(recordOf('KILL', `group ${group}`, [], 'sent'));
  for (const order of action.resume) sent.push(...tryOrder(tools, sight, order, 'CONT'));
  tools.note({ at: new Date().toISOString(), sent });
  tools.incident?.signals(sent);
};
