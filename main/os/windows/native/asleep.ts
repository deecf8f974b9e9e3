import { ticksPerSecond } from '../kernel/ticks.ts';

/** The two clocks move in steps of up to 16 ms: less than this is no sleep, milliseconds. */
const minAsleepMs = 1_000;

/** Returns how long the machine slept since its boot, in ticks; null where it does not tell. */
export const suspendedTicksOf = (
  sinceBoot: { readonly total: number; readonly awake: number } | null,
): number | null => {
  if (sinceBoot === null) return null;
  const ms = sinceBoot.total - sinceBoot.awake;
  return ms < minAsleepMs ? 0 : Math.round((ms / 1_000) * ticksPerSecond);
};
