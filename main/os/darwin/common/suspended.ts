import { uptime } from 'node:os';
import { loadKoffi } from '../../native/koffi.ts';

/** Clocks of macOS's <time.h>: the first includes sleep, the second does not. */
const monotonicRaw = 4;
const uptimeRaw = 8;

type ClockNs = (clock: number) => number | bigint;

let bound: ClockNs | null = null;
let asked = false;

/**
 * `clock_gettime_nsec_np` (macOS 10.12, `man 3 clock_gettime_nsec_np`), through koffi; null if it
 * can't be called.
 */
const bind = (): ClockNs | null => {
  const koffi = loadKoffi();
  if ('reason' in koffi) return null;
  try {
    return koffi.load(null).func('clock_gettime_nsec_np', 'uint64', ['int']) as ClockNs;
  } catch {
    return null;
  }
};

/**
 * Returns the seconds of sleep since the machine booted, or null if unknown. Node's own clock
 * includes sleep on macOS (libuv uses mach_continuous_time) and not on Linux.
 */
export const suspendedSeconds = (): number | null => {
  if (process.platform === 'linux') return Math.max(0, uptime() - Number(process.hrtime.bigint()) / 1e9);
  if (!asked) bound = process.platform === 'darwin' ? bind() : null;
  asked = true;
  return bound === null ? null : Math.max(0, Number(bound(monotonicRaw)) - Number(bound(uptimeRaw))) / 1e9;
};
