import { uptime } from 'node:os';
import { loadKoffi } from '../native/koffi.ts';

/** Clocks of macOS's <time.h>: the first counts while the system is asleep, the second does not. */
const monotonicRaw = 4;
const uptimeRaw = 8;

type ClockNs = (clock: number) => number | bigint;

let bound: ClockNs | null = null;
let asked = false;

/** `clock_gettime_nsec_np` (macOS 10.12, `man 3 clock_gettime_nsec_np`), through koffi; null where that can't be called. */
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
 * Returns how many seconds the machine was asleep since it booted; null where that can't be told. Node's own clock counts sleep on
 * macOS (libuv asks mach_continuous_time) and not on Linux.
 */
export const suspendedSeconds = (): number | null => {
  if (process.platform === 'linux') return Math.max(0, uptime() - Number(process.hrtime.bigint()) / 1e9);
  if (!asked) bound = process.platform === 'darwin' ? bind() : null;
  asked = true;
  return bound === null ? null : Math.max(0, Number(bound(monotonicRaw)) - Number(bound(uptimeRaw))) / 1e9;
};
