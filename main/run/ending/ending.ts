import { setTimeout as sleep } from 'node:timers/promises';
import { safeName } from '../../../app/format/secrets/safe-view.ts';
import type { SignalRecord } from '../../../app/history/incident.ts';
import type { Pid } from '../../../app/process/identity.ts';
import type { FirstSignalName, SignalName } from '../../../app/process/signal.ts';
import { identityOf } from '../../../app/process/table.ts';
import { graceSecondsFor } from '../../../app/reap/grace.ts';
import type { ReapingPlan, ReapingState } from '../../../app/reap/machine.ts';
import type { Target } from '../../../app/reap/target.ts';
import type { Enclosure } from '../../os/containment/service-manager.ts';
import type { Signaller } from '../../os/processes/signaller.ts';
import type { CommandLauncher } from '../../os/programs/command-launcher.ts';
import { type Hands, deliverAction } from '../../reaping/deliver-orders.ts';
import { awaited, driveToEnd, waitFor } from '../../reaping/drive.ts';
import {
  type Delivered,
  type Deliverer,
  type DrivenReaping,
  type DriverRecord,
  type PassResult,
  ReapingDriver,
  type SignalAction,
} from '../../reaping/driver.ts';
import type { Containment } from '../members/containment.ts';
import type { RunMember } from '../members/membership.ts';
import type { RunMembers, RunView } from '../members/view.ts';
import type { EndingResult } from './end-requests.ts';
import type { RunIncident } from './incident.ts';

export interface RunDeliveryTools {
  readonly view: RunView;
  readonly signaller: Signaller;
  readonly enclosure: Enclosure | null;
  readonly launcher: Pick<CommandLauncher, 'killGroup'>;
  readonly ask?: Containment['ask'];
}

const isTarget = (seen: RunMembers, { key }: Target): boolean => seen.living.some((one) => one.key === key);

/** Held for its signal only: runs may have more processes than files may be open. */
const handsOf = ({ view, signaller }: RunDeliveryTools, seen: RunMembers): Hands => {
  // What was started since `seen` counts as started since the latest scan only while `seen` is
  // the latest.
  let isLatest = true;
  const lookAgain = (): RunMembers => {
    isLatest = false;
    return view.look();
  };
  return {
    hold: ({ pid }) => {
      const member = seen.members.get(pid as Pid);
      return member === undefined ? null : signaller.open(identityOf(seen.table, member.row));
    },
    release: (handle) => handle.close(),
    confirm: (target) => {
      const member = seen.members.get(target.pid as Pid);
      if (member === undefined) return { kind: 'gone' };
      // Another program or session than a moment ago: it is judged anew.
      if (view.isAsSeen(member.row) || isTarget(lookAgain(), target)) return { kind: 'confirmed' };
      return { kind: 'vetoed', why: null };
    },
    confirmGroup: ({ pgid, members }) => {
      const pids = members.map(({ pid }) => pid);
      const rows = pids.map((pid) => seen.members.get(pid as Pid)?.row);
      const isAsSeen = rows.every((row) => row !== undefined && view.isAsSeen(row));
      if (isLatest && isAsSeen && !view.mayHaveGrown(pgid)) return pids;
      const now = lookAgain();
      if (now.sharedGroups.has(pgid)) return null;
      return now.living.filter((target) => target.pgid === pgid).map(({ pid }) => pid);
    },
    now: Date.now,
  };
};

/** Whether every process in the control group is one that may be killed. */
const isAllJudged = (enclosure: Enclosure, seen: RunMembers): boolean => {
  const targets = new Set(seen.living.map(({ pid }) => pid));
  // The host of a console on Windows is inside with the programs that it shows, and part of the
  // system.
  const isPart = (pid: number): boolean => seen.table.rows.get(pid as Pid)?.kernelThread === true;
  return seen.spared.length === 0 && enclosure.pids()?.every((pid) => targets.has(pid) || isPart(pid)) === true;
};

const killed = (target: string, pids: readonly number[]): SignalRecord => {
  const signal: SignalName = 'KILL';
  return { atMs: Date.now(), signal, target, pids, result: 'sent', note: null };
};

/**
 * A control group is killed as one, which no fork outruns; not when a process in it is to be left
 * alone, or was not judged. What was started since the look was not judged: a job object takes no
 * more processes from then on, so that the next look shows all of it.
 */
const killControlGroup = ({ enclosure }: RunDeliveryTools, seen: RunMembers): readonly SignalRecord[] => {
  if (enclosure === null) return [];
  enclosure.seal?.(seen.spared.length === 0);
  if (!isAllJudged(enclosure, seen) || !enclosure.kill()) return [];
  return [
    killed(
      enclosure.what ?? `cgroup ${enclosure.path}`,
      seen.living.map(({ pid }) => pid),
    ),
  ];
};

/**
 * A process that forks and exits all the time is gone before it can be held. Its group is killed as
 * one, while one of its ended children, not waited for yet, keeps the id of the group from being
 * another's.
 */
const killOwnGroups = ({ launcher, view }: RunDeliveryTools, seen: RunMembers): readonly SignalRecord[] => {
  const groups = [...seen.ownGroups];
  // While others were held and signalled, one to be left alone may have been started in a group.
  const { ownGroups } = groups.some((group) => view.mayHaveGrown(group)) ? view.look() : seen;
  return groups
    .filter((group) => ownGroups.has(group) && launcher.killGroup(group))
    .map((group) => killed(`group ${group}`, []));
};

/**
 * The programs of a run that has a console of its own are asked through that, all at once: the
 * console's event goes to every program in it. Null where a run has none, or nothing was asked.
 */
const askThroughConsole = (
  { ask, view }: RunDeliveryTools,
  seen: RunMembers,
  { signal }: SignalAction,
): SignalRecord | null => {
  if (ask === undefined || signal === 'KILL' || signal === 'CONT') return null;
  const rows = seen.living.flatMap(({ pid }) => seen.members.get(pid as Pid)?.row ?? []);
  const oldestFirst = rows.filter((row) => view.isAsSeen(row)).toSorted((a, b) => a.startTicks - b.startTicks);
  const result = ask(oldestFirst) ? 'sent' : 'refused';
  return {
    atMs: Date.now(),
    signal,
    target: 'console of the run',
    pids: oldestFirst.map(({ pid }) => pid),
    result,
    note: safeName(result === 'sent' ? 'asked by Ctrl-C' : 'no console took it: they are ended after the grace'),
  };
};

/** Carries out one step: sends its signals, each after a last look at what it would hit. */
export const deliverToRun = (tools: RunDeliveryTools, seen: RunMembers, action: SignalAction): Delivered => {
  const asked = askThroughConsole(tools, seen, action);
  if (asked !== null) return { records: [asked], unanswered: null };
  const kills = action.signal === 'KILL';
  const whole = kills ? killControlGroup(tools, seen) : [];
  const { records } = deliverAction(handsOf(tools, seen), action);
  return { records: [...whole, ...records, ...(kills ? killOwnGroups(tools, seen) : [])], unanswered: null };
};

export interface EndingTools extends RunDeliveryTools {
  readonly launcher: Pick<CommandLauncher, 'waitForChildren' | 'killGroup'>;
  /** Notes signals: before the first what is intended, after each what became of it. */
  readonly note: (line: unknown) => void;
  /** True once the user has asked for the end again: the grace is over. */
  readonly hurried?: () => boolean;
  /** Its record in the history; null where its end is none that belongs there. */
  readonly incident: RunIncident | null;
}

/**
 * Rounds of KILL: many and close together, because what forks while it is being killed is caught by
 * being faster. Two seconds in all, after which what is left waits in the kernel, or for a turn of
 * a crowded machine.
 */
const rounds = { killRounds: 100, killPauseMs: 20 } as const;

/** Pause between two looks in the grace, milliseconds. */
const lookPauseMs = 20;

export interface EndingOrder {
  readonly cause: string;
  readonly signal: FirstSignalName;
  readonly graceSeconds: number;
}

const targetsIn = ({ members, living }: RunMembers): readonly RunMember[] =>
  living.flatMap(({ pid }) => members.get(pid as Pid) ?? []);

const intentOf = (order: EndingOrder, seen: RunMembers): unknown => ({
  at: new Date().toISOString(),
  intent: order,
  members: targetsIn(seen).map(({ row, by }) => ({
    pid: row.pid,
    ppid: row.ppid,
    pgid: row.pgid,
    sid: row.sid,
    comm: row.comm,
    by,
  })),
  spared: seen.spared,
});

/** How often a failed look is repeated before that is an error; with pauses two seconds. */
const failedLooks = 100;

/**
 * A look, tried again when the machine does not answer: a moment without memory or descriptors must
 * not leave a run unended. Throws the last error.
 */
const lookSurely = async (tools: EndingTools): Promise<RunMembers> => {
  for (let round = 0; ; round += 1) {
    try {
      return tools.view.look();
    } catch (error) {
      if (round >= failedLooks) throw error;
      await sleep(lookPauseMs);
    }
  }
};

/** Rounds in which a process may be there that no look shows; with the pause, two seconds. */
const unseenRounds = 400;
const unseenPauseMs = 5;

/**
 * Looks until a process is seen or none can be there. A look at the process table takes a moment,
 * in which a process can fork and exit: it was listed and is gone, and its child is not in the
 * list. A subreaper that has children knows that a process is there. While killing, those that
 * ended are left unwaited for until the groups were killed: see `killGroup`.
 */
const lookWell = async (tools: EndingTools, killing: boolean): Promise<RunMembers> => {
  let emptyLooks = 0;
  for (let round = 0; ; round += 1) {
    const seen = await lookSurely(tools);
    const children = killing && seen.living.length > 0 ? 'some' : tools.launcher.waitForChildren();
    if (seen.living.length > 0 || round >= unseenRounds) return seen;
    emptyLooks += 1;
    const provesNothing = children === 'unknown' || tools.view.strangers || seen.spared.length > 0;
    if (children === 'none' || (provesNothing && emptyLooks >= looksWithoutProof)) return seen;
    if (killing) for (const group of seen.ownGroups) tools.launcher.killGroup(group);
    await sleep(unseenPauseMs);
  }
};

/** Empty looks in a row that have to do where nothing proves that none is left. */
const looksWithoutProof = 3;

/** With the pause, half a second. */
const leavingRounds = 25;

/**
 * Waits while a program that is left alone once it has a kernel session of its own may be about to
 * make one: the parent of a daemon exits before the daemon has called setsid(2).
 */
const untilDaemonsHaveLeft = async (tools: EndingTools): Promise<void> => {
  for (let round = 0; round < leavingRounds && tools.hurried?.() !== true; round += 1) {
    if (!(await lookSurely(tools)).mayBeLeaving) return;
    await sleep(lookPauseMs);
  }
};

/** What a last look leaves alone: a shell ending by the kernel's HUP, its terminal gone. */
const sparedAtLast = async (
  tools: EndingTools,
  seen: RunMembers,
  signalled: boolean,
): Promise<RunMembers['spared']> => {
  if (seen.spared.length === 0 || !signalled) return seen.spared;
  await sleep(settleMs);
  try {
    const now = new Set(tools.view.look().spared.map(({ pid }) => pid));
    return seen.spared.filter(({ pid }) => now.has(pid));
  } catch {
    // The machine did not answer: what the look before saw stands.
    return seen.spared;
  }
};
const settleMs = 60;

class RunReaping implements DrivenReaping<RunMembers> {
  readonly #tools: EndingTools;
  readonly #plan: ReapingPlan;
  state: ReapingState = { phase: 'starting' };
  waitUntilMs = 0;
  breaks = 0;
  restartsGrace = false;
  /** Some process of it was sent a signal. */
  wasSignalled = false;
  /** What is left alone; known before the end. */
  spared: RunMembers['spared'] = [];
  result: EndingResult | null = null;

  constructor(tools: EndingTools, order: EndingOrder, first: RunMembers) {
    this.#tools = tools;
    const rows = targetsIn(first).map(({ row }) => row);
    this.#plan = { signal: order.signal, graceMs: graceSecondsFor(rows, order.graceSeconds) * 1000, ...rounds };
  }

  get plan(): ReapingPlan {
    return this.#tools.hurried?.() === true ? { ...this.#plan, graceMs: 0 } : this.#plan;
  }

  survey(seen: RunMembers): RunMembers {
    return seen;
  }
}

const delivererFor = (tools: EndingTools): Deliverer<RunReaping, RunMembers, Promise<unknown>> => ({
  // eslint-disable-next-line require-yield -- A run is ended by this process: no answer is waited for.
  *deliver(reaping, seen, action) {
    tools.incident?.note(seen);
    reaping.wasSignalled = true;
    return deliverToRun(tools, seen, action);
  },
  *beforeEnd(reaping, seen) {
    reaping.spared = yield* waitFor(sparedAtLast(tools, seen, reaping.wasSignalled));
  },
  surveysAfterIntent: () => true,
});

/** Writes a run's record and, if it overstayed, an incident; failing at that holds nothing up. */
const recordFor = (tools: EndingTools, order: EndingOrder): DriverRecord<RunReaping, RunMembers> => ({
  isBegun: ({ state }) => state.phase !== 'starting',
  beginAll: (reapings, seen) => {
    try {
      tools.note(intentOf(order, seen));
      tools.incident?.begin(seen);
      return new Map();
    } catch (error) {
      return new Map(reapings.map((reaping) => [reaping, error]));
    }
  },
  together: (write) => write(),
  signalled: (_reaping, { records }) => {
    tools.note({ at: new Date().toISOString(), sent: records });
    tools.incident?.signals(records);
  },
  end: (reaping, seen, survey, found) => {
    const { spared } = reaping;
    const survivors = survey.living.map(({ pid }) => pid);
    // Nothing had to be ended but what is left alone.
    const outcome = found === 'vanished' && spared.length > 0 ? 'spared' : found;
    reaping.result = { outcome, survivors, spared };
    tools.incident?.end(reaping.result, seen);
  },
});

/**
 * Ends every process that belongs to a run: the signal, the grace (longer with git or a database
 * among them), then KILL, each time what is there then. Always returns, after at most the grace and
 * two seconds. Throws ProcessTableUnreadable when the machine doesn't show its processes, and what
 * the run's own record throws.
 */
export const endMembers = async (tools: EndingTools, order: EndingOrder): Promise<EndingResult> => {
  tools.view.sparer.beforeSignals();
  await untilDaemonsHaveLeft(tools);
  const first = await lookWell(tools, false);
  const reaping = new RunReaping(tools, order, first);
  const driver = new ReapingDriver(delivererFor(tools), recordFor(tools, order), () => performance.now());
  let before: PassResult = 'recorded';
  let latest: PassResult = 'recorded';
  const advance = async (seen: RunMembers): Promise<boolean> => {
    before = latest;
    latest = (await awaited(driver.pass([reaping], seen))).get(reaping) ?? 'waits';
    if (typeof latest === 'object') throw latest.error;
    return latest !== 'ended';
  };
  await driveToEnd(first, advance, async () => {
    // Most end within a millisecond of the signal: one quick look before the pauses begin.
    if (latest === 'waits') await sleep(before === 'waits' ? lookPauseMs : 1);
    return lookWell(tools, reaping.state.phase === 'killing');
  });
  if (reaping.result === null) throw new TypeError('the end of a run has no result');
  return reaping.result;
};
