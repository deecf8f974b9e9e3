/**
 * A stretch of one boot in which the machine was seen not to sleep, in ticks of the clock of start
 * times, which counts suspended time (CLOCK_BOOTTIME). `suspendedTicks`: how long it had been
 * suspended before, since it booted.
 */
export interface AwakeStretch {
  readonly fromTicks: number;
  readonly toTicks: number;
  readonly suspendedTicks: number;
}

/** What one look knows of the clock. */
export interface ClockReading {
  readonly nowTicks: number;
  readonly ticksPerSecond: number;
  /**
   * How long the machine was suspended in this boot; null: unknown. Left out: it is known not to
   * have been.
   */
  readonly suspendedTicks?: number | null;
}

/** Differences up to this many seconds are the grain of the clocks. */
const toleranceSeconds = 1;

/**
 * Where suspended time is unknown, time between two looks that are further apart does not count.
 * Seconds.
 */
export const maxUnseenSeconds = 120;

/**
 * Stretches that are kept, the latest: a machine that sleeps more often gives jobs from before the
 * oldest more time.
 */
const maxStretches = 256;

/**
 * The total at this look. Where it is unknown, all time that was not observed counts as suspended.
 */
const suspendedNow = (
  last: AwakeStretch | undefined,
  { nowTicks, ticksPerSecond, suspendedTicks }: ClockReading,
): number => {
  if (suspendedTicks === undefined) return 0;
  if (suspendedTicks !== null) return Math.min(Math.max(0, suspendedTicks), nowTicks);
  if (last === undefined) return nowTicks;
  const gap = Math.max(0, nowTicks - last.toTicks);
  return gap <= maxUnseenSeconds * ticksPerSecond ? last.suspendedTicks : last.suspendedTicks + gap;
};

/**
 * Returns the stretches after one more look, the oldest first. Only the last one is ever another
 * than before.
 */
export const observeAwake = (stretches: readonly AwakeStretch[], reading: ClockReading): readonly AwakeStretch[] => {
  const { nowTicks, ticksPerSecond } = reading;
  const last = stretches.at(-1);
  const suspendedTicks = suspendedNow(last, reading);
  const fresh = { fromTicks: nowTicks, toTicks: nowTicks, suspendedTicks };
  if (last === undefined) return [fresh];
  const difference = suspendedTicks - last.suspendedTicks;
  // Neither clock of a boot ever goes back: what was remembered is of other clocks (another time
  // namespace, a restored container).
  if (nowTicks < last.fromTicks || difference < -toleranceSeconds * ticksPerSecond) return [fresh];
  if (difference <= toleranceSeconds * ticksPerSecond)
    return [...stretches.slice(0, -1), { ...last, toTicks: Math.max(last.toTicks, nowTicks) }];
  return [...stretches, fresh].slice(-maxStretches);
};

/**
 * The least that the machine can have been suspended before a moment: what is not known for certain
 * fell after it. Ticks.
 */
const suspendedBefore = (stretches: readonly AwakeStretch[], ticks: number): number => {
  const index = stretches.findLastIndex(({ fromTicks }) => fromTicks <= ticks);
  const within = stretches[index];
  if (within !== undefined && ticks <= within.toTicks) return within.suspendedTicks;
  const next = stretches[index + 1];
  const known = within?.suspendedTicks ?? 0;
  // Between a moment and the next look it can't have slept longer than the time between them.
  return next === undefined ? known : Math.max(known, next.suspendedTicks - (next.fromTicks - ticks));
};

/**
 * Returns how long the machine was awake from a moment until now, in ticks: exact where Curfew
 * looked before and after each sleep, else the least that it can have been. Never negative, never
 * more than the time between.
 */
export const awakeTicks = (stretches: readonly AwakeStretch[], sinceTicks: number, nowTicks: number): number => {
  const elapsed = Math.max(0, nowTicks - sinceTicks);
  const total = stretches.at(-1)?.suspendedTicks ?? 0;
  const suspended = Math.max(0, total - suspendedBefore(stretches, sinceTicks));
  return Math.max(0, elapsed - suspended);
};
