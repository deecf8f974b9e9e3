/** FILETIMEs, 100 ns since 1601, exceed exact numbers. From 2015 they are exact until 2043. */
const since1601 = 130_645_440_000_000_000n;

export const ticksPerSecond = 10_000_000;

/** Milliseconds from 1970 to 2015. */
const epochMs = 1_420_070_400_000;

/** Returns a FILETIME in ticks; null for one that can't be exact or lies before 2015. */
export const ticksOf = (fileTime: bigint): number | null => {
  const ticks = fileTime - since1601;
  return ticks > 0n && ticks <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(ticks) : null;
};

/** Returns a moment of the wall clock, milliseconds since 1970, in ticks. */
export const ticksAtMs = (ms: number): number => Math.round((ms - epochMs) * 10_000);
