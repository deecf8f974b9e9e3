import type { Objection } from '../judge/stop-reason.ts';
import type { IdentityKey } from '../process/identity.ts';

/** A living process of the job that is being reaped, as the latest enumeration saw it. */
export interface Target {
  readonly key: IdentityKey;
  readonly pid: number;
  readonly pgid: number;
  /** Stopped by a signal: it hears nothing but CONT and KILL. */
  readonly stopped: boolean;
  /** Ready to run (state R): if sent KILL before, it had no turn to end. Left out: not read. */
  readonly runnable?: boolean;
  readonly vetoes: readonly Objection[];
}

/**
 * Whether a process of the job lives that a look did not show.
 *
 * - `maybe`: a process ended while the look was made. It may have been of the job, and may have
 *   left a child. A process that forks and exits every 20 ms was reported as ended while it went
 *   on.
 * - `fleeting`: the kernel still has a process in a process group of the job, and no look saw
 *   which: each of them lives for less than a look takes. Then the job has not ended, however often
 *   none was seen.
 */
export type Overlooked = 'none' | 'maybe' | 'fleeting';

/** What the latest enumeration saw of the job. */
export interface Survey {
  readonly living: readonly Target[];
  /** Groups with a process that is no member of this job: never signalled as a group. */
  readonly sharedGroups: ReadonlySet<number>;
  readonly overlooked: Overlooked;
}

/** One signal. A group is named by its leader, still held, so that it can't be another's. */
export type Order =
  | { readonly to: 'group'; readonly leader: IdentityKey; readonly pgid: number; readonly members: readonly Target[] }
  | { readonly to: 'process'; readonly target: Target };

/**
 * Turns targets into orders: a group as a group only when its leader is among the targets, no other
 * process is in it and none of its members is vetoed; all others one by one. Vetoed targets get no
 * order.
 */
export const ordersFor = (targets: readonly Target[], survey: Survey): readonly Order[] => {
  const orders: Order[] = [];
  const wanted = new Set(targets.filter((target) => target.vetoes.length === 0).map((target) => target.key));
  const inGroup = new Set<IdentityKey>();
  const groups = Map.groupBy(survey.living, (target) => target.pgid);
  for (const [pgid, members] of groups) {
    const leader = members.find((member) => member.pid === pgid);
    const whole = members.every((member) => wanted.has(member.key));
    if (leader === undefined || !whole || survey.sharedGroups.has(pgid) || pgid <= 1) continue;
    orders.push({ to: 'group', leader: leader.key, pgid, members });
    for (const member of members) inGroup.add(member.key);
  }
  for (const target of targets) {
    if (wanted.has(target.key) && !inGroup.has(target.key)) orders.push({ to: 'process', target });
  }
  return orders;
};
