import { ticksPerSecond } from '../../processes/file-time.ts';

/**
 * Returns what the clock of start times gained on the time awake since its boot, in ticks: by
 * sleep, and by being set forward. Less than none after it was set back. Null where Windows does
 * not tell the time awake.
 *
 * The time awake is the unbiased interrupt time. Interrupt time is "not subject to adjustments by
 * users or the Windows time service" (Microsoft, QueryUnbiasedInterruptTime). GetTickCount64 is no
 * measure of sleep: in a virtual machine whose host slept it stands still as well, and the clock is
 * set forward afterwards.
 * @param bootTicks when the boot began, by the clock of start times
 */
export const gainedTicks = (nowTicks: number, bootTicks: number, awakeMs: number | null): number | null =>
  awakeMs === null ? null : Math.round(nowTicks - bootTicks - (awakeMs / 1_000) * ticksPerSecond);
