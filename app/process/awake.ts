/**
 * A stretch of one boot in which the machine was seen not to sleep, in ticks of the clock of start
 * times, which counts suspended time (CLOCK_BOOTTIME). `suspendedTicks`: how long it had been
 * suspended before, since it booted. Where start times are of a clock that is set, its jumps count
 * as suspended time, and one back takes that away.
 */
export interface AwakeStretch {
  readonly fromTicks: number;
  readonly toTicks: number;
  readonly suspendedTicks: number;
}

export interface ClockReading {
  readonly nowTicks: number;
  readonly ticksPerSecond: number;
  /** How long this boot was suspended; null: unknown. Left out: known not to have been. */
  readonly suspendedTicks?: number | null;
  readonly clockIsSet?: boolean;
  /**
   * Seconds since the look before by a clock that is never set. Asked where start times are of one
   * that is, and `suspendedTicks` does not tell how far it was set. Left out: no such look.
   */
  readonly seenSeconds?: number;
}

/** Differences up to this many seconds are the grain of the clocks. */
export const grainSeconds = 1;

/** Where suspension is unknown, time between looks further apart doesn't count. Seconds. */
export const maxUnseenSeconds = 120;

/** Latest stretches kept: if a machine sleeps more often, older jobs get more time. */
const maxStretches = 256;

/** The total at this look. Where unknown, all unobserved time counts as suspended. */
const suspendedNow = (last: AwakeStretch | undefined, reading: ClockReading): number => {
  const { nowTicks, ticksPerSecond, suspendedTicks, clockIsSet = false, seenSeconds = 0 } = reading;
  if (suspendedTicks != null) return clockIsSet ? suspendedTicks : Math.min(Math.max(0, suspendedTicks), nowTicks);
  if (suspendedTicks === undefined && !clockIsSet) return 0;
  if (last === undefined) return suspendedTicks === undefined ? 0 : nowTicks;
  const gap = nowTicks - last.toTicks;
  if (suspendedTicks === null && gap > maxUnseenSeconds * ticksPerSecond) return last.suspendedTicks + gap;
  return last.suspendedTicks + (clockIsSet ? gap - seenSeconds * ticksPerSecond : 0);
};

/** Returns the stretches after one more look, oldest first. Only the last one changes. */
export const observeAwake = (stretches: readonly AwakeStretch[], reading: ClockReading): readonly AwakeStretch[] => {
  const { nowTicks, ticksPerSecond } = reading;
  const last = stretches.at(-1);
  const suspendedTicks = suspendedNow(last, reading);
  const fresh = { fromTicks: nowTicks, toTicks: nowTicks, suspendedTicks };
  if (last === undefined) return [fresh];
  const difference = suspendedTicks - last.suspendedTicks;
  const wentBack = difference < -grainSeconds * ticksPerSecond;
  // Otherwise neither clock of a boot ever goes back: what was remembered is of other clocks
  // (another time namespace, a restored container).
  if (reading.clockIsSet !== true && (nowTicks < last.fromTicks || wentBack)) return [fresh];
  if (!wentBack && nowTicks >= last.fromTicks && difference <= grainSeconds * ticksPerSecond)
    return [...stretches.slice(0, -1), { ...last, toTicks: Math.max(last.toTicks, nowTicks) }];
  return [...stretches, fresh].slice(-maxStretches);
};

/** The boot: no look came before it. */
const boot: Pick<AwakeStretch, 'toTicks' | 'suspendedTicks'> = { toTicks: -Infinity, suspendedTicks: 0 };

/**
 * The least that the machine can have been suspended before a moment between two stretches; null
 * where that moment can't lie between them. The moment and the next look are at most as far apart
 * as their clock says, so between them the machine slept no longer.
 */
const suspendedBetween = (
  last: Pick<AwakeStretch, 'toTicks' | 'suspendedTicks'>,
  next: AwakeStretch,
  ticks: number,
  grainTicks: number,
): number | null => {
  const slept = next.suspendedTicks - last.suspendedTicks;
  const awake = Math.max(0, next.fromTicks - last.toTicks - slept) + grainTicks;
  if (ticks < Math.min(last.toTicks, next.fromTicks - awake)) return null;
  if (ticks > Math.max(next.fromTicks, last.toTicks + awake)) return null;
  return Math.max(Math.min(last.suspendedTicks, next.suspendedTicks), next.suspendedTicks - (next.fromTicks - ticks));
};

/**
 * The least that the machine can have been suspended before a moment: what is not known for certain
 * fell after it. A clock that was set back shows a moment twice: the least of both. Ticks.
 */
const suspendedBefore = (stretches: readonly AwakeStretch[], ticks: number, grainTicks: number): number => {
  let least = Infinity;
  let last: typeof boot = boot;
  for (const stretch of stretches) {
    least = Math.min(least, suspendedBetween(last, stretch, ticks, grainTicks) ?? Infinity);
    if (stretch.fromTicks <= ticks && ticks <= stretch.toTicks) least = Math.min(least, stretch.suspendedTicks);
    last = stretch;
  }
  return least === Infinity ? last.suspendedTicks : least;
};

/**
 * Returns how long the machine was awake from a moment until now, in ticks: exact where Curfew
 * looked before and after each sleep, else the least that it can have been. Never negative, never
 * more than the time between.
 * @param grainTicks how far the totals of stretches may be off where the clock is one that is set
 */
export const awakeTicks = (
  stretches: readonly AwakeStretch[],
  sinceTicks: number,
  nowTicks: number,
  grainTicks = 0,
): number => {
  const elapsed = Math.max(0, nowTicks - sinceTicks);
  const total = stretches.at(-1)?.suspendedTicks ?? 0;
  const suspended = Math.max(0, total - suspendedBefore(stretches, sinceTicks, grainTicks));
  return Math.max(0, elapsed - suspended);
};
