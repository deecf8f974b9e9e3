import { setTimeout as sleep } from 'node:timers/promises';
import type { Pid } from '../../../app/process/identity.ts';
import { graceSecondsFor } from '../../../app/reap/grace.ts';
import type { ReapingPlan, ReapingState } from '../../../app/reap/machine.ts';
import type { FirstSignalName } from '../../../app/process/signal.ts';
import type { CommandLauncher } from '../../os/programs/command-launcher.ts';
import { awaited, driveToEnd, waitFor } from '../../reaping/drive.ts';
import {
  ReapingDriver,
  type Deliverer,
  type DrivenReaping,
  type DriverRecord,
  type PassResult,
} from '../../reaping/driver.ts';
import { deliverToRun, type RunDeliveryTools } from './deliverer.ts';
import type { EndingResult } from './ending-result.ts';
import type { RunIncident } from './incident.ts';
import type { RunMember } from '../members/membership.ts';
import type { RunMembers } from '../members/view.ts';

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

/**
 * How often a look that failed is tried again before that is an error; with the pause, two seconds.
 */
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

/**
 * What is left alone as of a last look: a shell whose terminal ended with the run has been sent HUP
 * by the kernel and ends itself.
 */
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
  surveysAfterIntent: true,
});

/**
 * The run's own record and, where it overstayed, an incident in the history. An incident that can't
 * be written holds nothing up.
 */
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
