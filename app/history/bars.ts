/** What happened in a stretch of time, summed. */
export interface HistorySums {
  /** Ended by Curfew: `reaped` and `killed` together. */
  readonly ended: number;
  readonly survived: number;
  /** Spared, vanished, interrupted, or not finished. */
  readonly other: number;
  readonly freedBytes: number;
}

/** What happened from `atMs` on, until the next one. */
export interface HistoryBar extends HistorySums {
  /** Wall clock, milliseconds. */
  readonly atMs: number;
}

/** How long a bar of the chart is. */
export type BarStep = 'hour' | 'day' | 'week' | 'month';

/** More than this can't be told apart in a chart. */
const maxBars = 400;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The maxSpanMs stretch that is shown in steps of so long; what is longer is shown by month. */
const maxSpanMs: readonly (readonly [BarStep, number])[] = [
  ['hour', 2 * dayMs],
  ['day', 200 * dayMs],
  ['week', 5 * 366 * dayMs],
];

const startOf = (localMs: number, step: BarStep): number => {
  const date = new Date(localMs);
  const day = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  switch (step) {
    case 'hour':
      return Math.floor(localMs / hourMs) * hourMs;
    case 'day':
      return day;
    case 'week':
      // Weeks begin on Monday (ISO 8601).
      return day - ((date.getUTCDay() + 6) % 7) * dayMs;
    case 'month':
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  }
};

const nextStart = (localStart: number, step: BarStep): number => {
  const date = new Date(localStart);
  switch (step) {
    case 'hour':
      return localStart + hourMs;
    case 'day':
      return localStart + dayMs;
    case 'week':
      return localStart + 7 * dayMs;
    case 'month':
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
  }
};

const nothing: HistorySums = { ended: 0, survived: 0, other: 0, freedBytes: 0 };

const added = (left: HistorySums, right: HistorySums): HistorySums => ({
  ended: left.ended + right.ended,
  survived: left.survived + right.survived,
  other: left.other + right.other,
  freedBytes: left.freedBytes + right.freedBytes,
});

/**
 * Puts short stretches together into the bars of a chart: hours, days, weeks or months of the wall clock where the person is,
 * from the first in which something happened to the last without a gap, the latest 400 at most. Every stretch lands in exactly one bar.
 * @param stretches each at most a quarter of an hour long, so that no bar begins inside one (time zones differ by quarters), in order
 * @param offsetMinutes local time minus UTC at a moment
 */
export const historyBars = (
  stretches: readonly HistoryBar[],
  offsetMinutes: (atMs: number) => number,
): { readonly step: BarStep; readonly bars: readonly HistoryBar[] } => {
  const first = stretches[0];
  const last = stretches.at(-1);
  if (first === undefined || last === undefined) return { step: 'day', bars: [] };
  const step = maxSpanMs.find(([, span]) => last.atMs - first.atMs <= span)?.[0] ?? 'month';
  const toLocal = (atMs: number): number => atMs + offsetMinutes(atMs) * 60_000;

  const sums = new Map<number, HistorySums>();
  for (const stretch of stretches) {
    const start = startOf(toLocal(stretch.atMs), step);
    sums.set(start, added(sums.get(start) ?? nothing, stretch));
  }
  const starts = [...sums.keys()].toSorted((left, right) => left - right).slice(-maxBars);
  const [from = 0] = starts;
  const to = starts.at(-1) ?? from;
  const bars: HistoryBar[] = [];
  for (let start = from; start <= to; start = nextStart(start, step)) {
    // The offset at the start itself, which differs from the one shortly after when the clocks change in between.
    const atMs = start - offsetMinutes(start - offsetMinutes(start) * 60_000) * 60_000;
    bars.push({ atMs, ...(sums.get(start) ?? nothing) });
  }
  return { step, bars: bars.slice(-maxBars) };
};
