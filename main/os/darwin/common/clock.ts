import type { ProcessTable } from '../../../../app/process/table.ts';

/** Start times are microseconds since the epoch. */
const ticksPerSecond = 1_000_000;

/**
 * Returns the moment of a look. Start times of macOS are those of the wall clock: what it gained on
 * the time awake since the boot is sleep, or it was set.
 * @param takenAtMs wall clock, milliseconds
 * @param bootTicks when launchd started; null: unknown
 * @param up seconds that the machine was awake at that moment; null: unknown
 */
export const momentOf = (
  takenAtMs: number,
  bootTicks: number | null,
  up: number | null,
): Pick<ProcessTable, 'takenAtMs' | 'nowTicks' | 'ticksPerSecond' | 'suspendedTicks' | 'clockIsSet' | 'upSeconds'> => {
  const nowTicks = takenAtMs * 1_000;
  const isTold = bootTicks !== null && up !== null;
  return {
    takenAtMs,
    nowTicks,
    ticksPerSecond,
    suspendedTicks: isTold ? Math.round(nowTicks - bootTicks - up * ticksPerSecond) : null,
    clockIsSet: true,
    ...(up === null ? {} : { upSeconds: up }),
  };
};
