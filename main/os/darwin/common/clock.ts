import type { ProcessTable } from '../../../../app/process/table.ts';
import { boundOrNull } from '../../native/koffi.ts';

/** CLOCK_UPTIME_RAW of macOS's <time.h>, which stands still in sleep. */
const uptimeRaw = 8;

type ClockNs = (clock: number) => number | bigint;

let bound: ClockNs | null | undefined;

/** `clock_gettime_nsec_np` (macOS 10.12, see its man 3), through koffi; null if uncallable. */
const bind = (): ClockNs | null =>
  process.platform === 'darwin'
    ? boundOrNull((koffi) => koffi.load(null).func('clock_gettime_nsec_np', 'uint64', ['int']) as ClockNs)
    : null;

/**
 * Returns the seconds that this Mac was awake since it booted, or null if unknown. In nanoseconds
 * from the system: what mach_absolute_time counts is scaled under Rosetta, and the times of
 * processes are not.
 */
export const upSeconds = (): number | null => {
  bound ??= bind();
  const ns = bound === null ? 0 : Number(bound(uptimeRaw));
  return ns > 0 ? ns / 1e9 : null;
};

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
