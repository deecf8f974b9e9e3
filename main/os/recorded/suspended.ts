import type { ProcessTable } from '../../../app/process/table.ts';
import type { RemoteHead } from '../../../app/remote/head.ts';

/**
 * Returns how long a machine was suspended in this boot, in its ticks. The scheduler's clock may
 * run faster or slower than the other one (500 parts in a million is what adjtimex(2) corrects at
 * most): what that explains is no sleep. Null where it does not tell: then only what was observed
 * counts.
 */
const suspendedTicksOf = ({ awake, ticks }: RemoteHead, nowTicks: number): number | null => {
  if (awake === null) return null;
  if (awake === 'always') return 0;
  const suspended = nowTicks - (awake / 1000) * ticks;
  return suspended <= driftTolerance(nowTicks, ticks) ? 0 : Math.round(suspended);
};

const driftTolerance = (nowTicks: number, ticks: number): number => 30 * ticks + nowTicks / 2000;

/**
 * Returns what is known of the clock of a machine. ps tells start times by the wall clock, which
 * can be set there: then what passed between two looks is measured here.
 */
export const remoteClock = (
  head: RemoteHead,
  nowTicks: number,
): Pick<ProcessTable, 'suspendedTicks' | 'clockIsSet'> => {
  if (head.way === 'procfs') return { suspendedTicks: suspendedTicksOf(head, nowTicks) };
  return { ...(head.awake === 'always' ? {} : { suspendedTicks: null }), clockIsSet: true };
};
