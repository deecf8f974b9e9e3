import { setTimeout as sleep } from 'node:timers/promises';
import type { Pid } from '../../../app/process/identity.ts';
import { graceSecondsFor } from '../../../app/reap/grace.ts';
import { nextReapingStep, type ReapingPlan, type ReapingState } from '../../../app/reap/machine.ts';
import type { FirstSignalName } from '../../../app/process/signal.ts';
import { deliver, type EndingTools } from './delivery.ts';
import type { EndingResult } from './ending-result.ts';
import type { RunMember } from '../members/membership.ts';
import type { RunMembers } from '../members/view.ts';

/**
 * Rounds of KILL: many and close together, because what forks while it is being killed is caught by being faster. Two seconds in all, after which whoever is left
 * waits in the kernel, or for a turn of a crowded machine.
 */
const rounds = { killRounds: 100, killPauseMs: 20 } as const;

/** Pause between two looks in the grace, milliseconds. */
const lookPauseMs = 20;

/** How it is done, and why. */
export interface EndingOrder {
  readonly cause: string;
  readonly signal: FirstSignalName;
  readonly graceSeconds: number;
}

const targetsIn = ({ members, living }: RunMembers): readonly RunMember[] =>
  living.flatMap(({ pid }) => members.get(pid as Pid) ?? []);

const intentOf = (order: EndingOrder, sight: RunMembers): unknown => ({
  at: new Date().toISOString(),
  intent: order,
  members: targetsIn(sight).map(({ row, by }) => ({
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

/** Rounds in which somebody may be there whom no look shows; with the pause, two seconds. */
const unseenRounds = 400;
const unseenPauseMs = 5;

/**
 * Looks until somebody is seen or nobody can be there. A look at the process table takes a moment, in which a process can fork and exit: it was listed and is gone, and its child is
 * not in the list. A subreaper that has children knows that somebody is there. While killing, those who ended are left unwaited for until the groups were killed: see `killGroup`.
 */
const lookWell = async (tools: EndingTools, killing: boolean): Promise<RunMembers> => {
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

/** With the pause, half a second. */
const leavingRounds = 25;

/**
 * Waits while a program that is left alone once it has a kernel session of its own may be about to make one: the parent of a daemon
 * exits before the daemon has called setsid(2).
 */
const untilDaemonsHaveLeft = async (tools: EndingTools): Promise<void> => {
  for (let round = 0; round < leavingRounds && tools.hurried?.() !== true; round += 1) {
    if (!(await lookSurely(tools)).mayBeLeaving) return;
    await sleep(lookPauseMs);
  }
};

/** What is left alone as of a last look: a shell whose terminal ended with the run has been sent HUP by the kernel and ends itself. */
const sparedAtLast = async (
  tools: EndingTools,
  sight: RunMembers,
  signalled: boolean,
): Promise<RunMembers['spared']> => {
  if (sight.spared.length === 0 || !signalled) return sight.spared;
  await sleep(settleMs);
  try {
    const now = new Set(tools.view.look().spared.map(({ pid }) => pid));
    return sight.spared.filter(({ pid }) => now.has(pid));
  } catch {
    // The machine did not answer: what the look before saw stands.
    return sight.spared;
  }
};
const settleMs = 60;

/**
 * Ends everybody who belongs to a run: the signal, the grace (longer with git or a database among them), then KILL, each time whoever is there then. Always returns,
 * after at most the grace and two seconds. Throws ProcessTableUnreadable when the machine doesn't show its processes.
 */
export const endMembers = async (tools: EndingTools, order: EndingOrder): Promise<EndingResult> => {
  let state: ReapingState = { phase: 'starting' };
  let plan: ReapingPlan | null = null;
  let hurried = false;
  let signalled = false;
  await untilDaemonsHaveLeft(tools);
  for (;;) {
    const sight = await lookWell(tools, state.phase === 'killing');
    plan ??= {
      signal: order.signal,
      graceMs:
        graceSecondsFor(
          targetsIn(sight).map(({ row }) => row),
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
      signalled = true;
      deliver(tools, sight, action);
    } else if (action.kind === 'end') {
      const survivors = sight.living.map(({ pid }) => pid);
      const spared = await sparedAtLast(tools, sight, signalled);
      // Nothing had to be ended but what is left alone.
      const outcome = action.outcome === 'vanished' && spared.length > 0 ? 'spared' : action.outcome;
      const result: EndingResult = { outcome, survivors, spared };
      tools.incident?.end(result, sight);
      return result;
    }
    // Most end within a millisecond of the signal: one quick look before the pauses begin.
    if (action.kind === 'wait') await sleep(hurried ? lookPauseMs : 1);
    hurried = action.kind === 'wait';
  }
};
