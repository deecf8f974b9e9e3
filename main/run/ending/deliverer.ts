import { safeName } from '../../../app/format/secrets/safe-view.ts';
import type { SignalRecord } from '../../../app/history/incident.ts';
import type { Pid } from '../../../app/process/identity.ts';
import { identityOf } from '../../../app/process/table.ts';
import type { SignalName } from '../../../app/process/signal.ts';
import type { Target } from '../../../app/reap/target.ts';
import type { Enclosure } from '../../os/containment/enclosure.ts';
import type { Signaller } from '../../os/processes/signaller.ts';
import type { CommandLauncher } from '../../os/programs/command-launcher.ts';
import { deliverAction, type Hands } from '../../reaping/deliver-orders.ts';
import type { Delivered, SignalAction } from '../../reaping/driver.ts';
import type { Containment } from '../members/containment.ts';
import type { RunMembers, RunView } from '../members/view.ts';

export interface RunDeliveryTools {
  readonly view: RunView;
  readonly signaller: Signaller;
  readonly enclosure: Enclosure | null;
  readonly launcher: Pick<CommandLauncher, 'killGroup'>;
  readonly ask?: Containment['ask'];
}

const isTarget = (seen: RunMembers, { key }: Target): boolean => seen.living.some((one) => one.key === key);

/**
 * A process is held for its signal only: a run may have more of them than a process may have open
 * files.
 */
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
const killOwnGroups = ({ launcher }: RunDeliveryTools, { ownGroups }: RunMembers): readonly SignalRecord[] =>
  [...ownGroups].filter((group) => launcher.killGroup(group)).map((group) => killed(`group ${group}`, []));

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
