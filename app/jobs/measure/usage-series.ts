/** Length of a step of a series, milliseconds. */
export const usageStepMs = 10_000;

/** Steps of a series: ten minutes. */
export const maxUsageSteps = 60;

/**
 * A measurement stands for the time since the one before, unless that is longer ago than this many
 * steps: then the machine slept, or was not watched.
 */
const maxFilledSteps = 6;

/** What one job used over the last minutes, at most `maxUsageSteps` values each, oldest first. */
export interface UsageSeries {
  /** Number of the newest step, counted from the epoch. */
  readonly step: number;
  /** Measurements in the newest step. */
  readonly looks: number;
  /** Mean of each step, as a share of one core; null: not watched. */
  readonly cpuPercent: readonly (number | null)[];
  /** Highest of each step; null: not watched. */
  readonly rssBytes: readonly (number | null)[];
}

export interface UsageSample {
  /** Wall clock, milliseconds. */
  readonly atMs: number;
  /** Since the measurement before. */
  readonly cpuPercent: number;
  readonly rssBytes: number;
}

const rounded = (percent: number): number => Math.round(percent * 10) / 10;

const repeated = <Value>(value: Value, count: number): readonly Value[] => Array.from({ length: count }, () => value);

/** Returns a series with one more measurement. A clock that was set back begins a new series. */
export const addUsage = (series: UsageSeries | null, { atMs, cpuPercent, rssBytes }: UsageSample): UsageSeries => {
  const step = Math.floor(atMs / usageStepMs);
  if (series === null || step < series.step)
    return { step, looks: 1, cpuPercent: [rounded(cpuPercent)], rssBytes: [rssBytes] };
  if (step === series.step) {
    const { looks } = series;
    const mean = ((series.cpuPercent.at(-1) ?? 0) * looks + cpuPercent) / (looks + 1);
    return {
      step,
      looks: looks + 1,
      cpuPercent: [...series.cpuPercent.slice(0, -1), rounded(mean)],
      rssBytes: [...series.rssBytes.slice(0, -1), Math.max(series.rssBytes.at(-1) ?? 0, rssBytes)],
    };
  }
  const passed = step - series.step;
  const skipped = Math.min(passed - 1, maxUsageSteps);
  const isKnown = passed <= maxFilledSteps;
  return {
    step,
    looks: 1,
    cpuPercent: [
      ...series.cpuPercent,
      ...repeated(isKnown ? rounded(cpuPercent) : null, skipped),
      rounded(cpuPercent),
    ].slice(-maxUsageSteps),
    rssBytes: [...series.rssBytes, ...repeated(isKnown ? rssBytes : null, skipped), rssBytes].slice(-maxUsageSteps),
  };
};
