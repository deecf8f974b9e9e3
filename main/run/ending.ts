import { setTimeout as sleep } from 'node:timers/promises';
import type { Pid } from '../../app/process/identity.ts';
import { identityOf } from '../../app/process/table.ts';
import { graceSecondsFor } from '../../app/reap/grace.ts';
import { nextReapingStep, type ReapingAction, type ReapingPlan, type ReapingState } from '../../app/reap/machine.ts';
import type { SignalRecord } from '../../app/history/incident.ts';
import type { FirstSignalName, SignalName } from '../../app/reap/signal.ts';
import type { Order, Target } from '../../app/reap/target.ts';
import type { CommandLauncher } from '../os/command-launcher.ts';
import type { RunCgroup } from '../os/linux/cgroup.ts';
import type { Signaller, SignalResult } from '../os/signaller.ts';
import type { EndingResult } from './ending-result.ts';
import type { RunIncident } from './incident.ts';
import type { RunSight, RunView } from './view.ts';

/**
 * Rounds of KILL: many and close together, because what forks while it is being killed is caught by being faster. Two seconds in all, after which whoever is left
 * waits in the kernel, or for a turn of a crowded machine.
 */
const rounds = { killRounds: 100, killPauseMs: 20 } as const;

/** Pause between two looks in the grace, milliseconds. */
const lookPauseMs = 20;

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

/** How it is done, and why. */
export interface EndingOrder {
  readonly cause: string;
  readonly signal: FirstSignalName;
  readonly graceSeconds: number;
}

const toProcess = (tools: EndingTools, sight: RunSight, target: Target, signal: SignalName): SignalResult => {
  const member = sight.members.get(target.pid as Pid);
  if (member === undefined) return 'gone';
  // The hold is taken first and the identity compared after it, immediately before the signal.
  const handle = tools.signaller.open(identityOf(sight.table, member.row));
  if (handle === null) return 'gone';
  try {
    return handle.send(signal);
  } finally {
    handle.close();
  }
};

const toGroup = (
  tools: EndingTools,
  sight: RunSight,
  order: Extract<Order, { to: 'group' }>,
  signal: SignalName,
): SignalResult | 'unsupported' => {
  const leader = sight.members.get(order.pgid as Pid);
  if (leader === undefined) return 'gone';
  const handle = tools.signaller.open(identityOf(sight.table, leader.row));
  if (handle === null) return 'gone';
  try {
    return handle.sendToGroup(signal);
  } finally {
    handle.close();
  }
};

const recordOf = (
  signal: SignalName,
  target: string,
  pids: readonly number[],
  result: SignalResult,
  note: string | null = null,
): SignalRecord => ({ atMs: Date.now(), signal, target, pids, result, note });

const deliverOrder = (
  tools: EndingTools,
  sight: RunSight,
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
const tryOrder = (tools: EndingTools, sight: RunSight, order: Order, signal: SignalName): readonly SignalRecord[] => {
  try {
    return deliverOrder(tools, sight, order, signal);
  } catch (error) {
    const pids = order.to === 'process' ? [order.target.pid] : order.members.map(({ pid }) => pid);
    return [recordOf(signal, `${order.to} ${pids.join(', ')}`, pids, 'refused', String(error))];
  }
};

const deliver = (tools: EndingTools, sight: RunSight, action: Extract<ReapingAction, { kind: 'signal' }>): void => {
  const sent: SignalRecord[] = [];
  const everybody = sight.living.map(({ pid }) => pid);
  // A control group is killed as one, which no fork outruns; not when somebody in it is to be left alone.
  if (action.signal === 'KILL' && tools.cgroup !== null && sight.spared.length === 0 && tools.cgroup.kill())
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

const intentOf = (order: EndingOrder, sight: RunSight): unknown => ({
  at: new Date().toISOString(),
  intent: order,
  members: [...sight.members.values()].map(({ row, by }) => ({
    pid: row.pid,
    ppid: row.ppid,
    pgid: row.pgid,
    sid: row.sid,
    comm: row.comm,
    by,
  })),
  spared: sight.spared,
});

/** How often a look that failed is tried again before that is an error; with the pause, two seconds. */
const failedLooks = 100;

/** A look, tried again when the machine does not answer: a moment without memory or descriptors must not leave a run unended. Throws the last error. */
const lookSurely = async (tools: EndingTools): Promise<RunSight> => {
  for (let round = 0; ; round += 1) {
    try {
      return tools.view.look();
    } catch (error) {
      if (round >= failedLooks) throw error;
      await sleep(lookPauseMs);
    }
  }
};

/** Rounds in which somebody may be there whom no look shows; with the pause, two seconds. */
const unseenRounds = 400;
const unseenPauseMs = 5;

/**
 * Looks until somebody is seen or nobody can be there. A look at the process table takes a moment, in which a process can fork and exit: it was listed and is gone, and its child is
 * not in the list. A subreaper that has children knows that somebody is there. While killing, those who ended are left unwaited for until the groups were killed: see `killGroup`.
 */
const lookWell = async (tools: EndingTools, killing: boolean): Promise<RunSight> => {
  let emptyLooks = 0;
  for (let round = 0; ; round += 1) {
    const sight = await lookSurely(tools);
    const children = killing && sight.living.length > 0 ? 'some' : tools.launcher.waitForChildren();
    if (sight.living.length > 0 || round >= unseenRounds) return sight;
    emptyLooks += 1;
    const provesNothing = children === 'unknown' || tools.view.strangers || sight.spared.length > 0;
    if (children === 'none' || (provesNothing && emptyLooks >= looksWithoutProof)) return sight;
    if (killing) for (const group of sight.ownGroups) tools.launcher.killGroup(group);
    await sleep(unseenPauseMs);
  }
};

/** Empty looks in a row that have to do where nothing proves that nobody is left. */
const looksWithoutProof = 3;

/**
 * Ends everybody who belongs to a run: the signal, the grace (longer with git or a database among them), then KILL, each time whoever is there then. Always returns,
 * after at most the grace and two seconds. Throws ProcessTableUnreadable when the machine doesn't show its processes.
 */
export const endMembers = async (tools: EndingTools, order: EndingOrder): Promise<EndingResult> => {
  let state: ReapingState = { phase: 'starting' };
  let plan: ReapingPlan | null = null;
  let hurried = false;
  for (;;) {
    const sight = await lookWell(tools, state.phase === 'killing');
    plan ??= {
      signal: order.signal,
      graceMs:
        graceSecondsFor(
          [...sight.members.values()].map(({ row }) => row),
          order.graceSeconds,
        ) * 1000,
      ...rounds,
    };
    if (tools.hurried?.() === true) plan = { ...plan, graceMs: 0 };
    const step = nextReapingStep(state, sight, plan, performance.now());
    state = step.state;
    const { action } = step;
    if (action.kind === 'journal') {
      tools.note(intentOf(order, sight));
      tools.incident?.begin(sight);
    } else if (action.kind === 'signal') {
      tools.incident?.note(sight);
      deliver(tools, sight, action);
    } else if (action.kind === 'end') {
      const survivors = sight.living.map(({ pid }) => pid);
      const result: EndingResult = { outcome: action.outcome, survivors, spared: sight.spared };
      tools.incident?.end(result, sight);
      return result;
    }
    // Most end within a millisecond of the signal: one quick look before the pauses begin.
    if (action.kind === 'wait') await sleep(hurried ? lookPauseMs : 1);
    hurried = action.kind === 'wait';
  }
};
