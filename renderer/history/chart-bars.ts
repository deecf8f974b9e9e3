import type { HistoryOverview } from '../../app/contract/history-questions.ts';

type Bar = HistoryOverview['bars'][number];
type Step = HistoryOverview['step'];

/** Bars that a chart has at least, so that the first day is no single slab. */
const minBars: Readonly<Record<Step, number>> = { hour: 24, day: 14, week: 12, month: 12 };

/** Returns the beginning of the bar before or after, on the user's wall clock. */
const moved = (atMs: number, step: Step, by: number): number => {
  const date = new Date(atMs);
  if (step === 'hour') return atMs + by * 3_600_000;
  if (step === 'month') date.setMonth(date.getMonth() + by);
  else date.setDate(date.getDate() + by * (step === 'week' ? 7 : 1));
  return date.getTime();
};

const empty = (atMs: number): Bar => ({
  at: new Date(atMs).toISOString(),
  ended: 0,
  survived: 0,
  other: 0,
  freedBytes: 0,
});

/** Returns bars up to now, empty ones first until there are enough to read a time scale. */
export const filledBars = ({ bars, step }: Pick<HistoryOverview, 'bars' | 'step'>, nowMs: number): readonly Bar[] => {
  const last = bars.at(-1);
  if (last === undefined) return [];
  const after: Bar[] = [];
  const maxAfter = 400 - bars.length;
  for (let at = moved(Date.parse(last.at), step, 1); at <= nowMs && after.length < maxAfter; at = moved(at, step, 1))
    after.push(empty(at));
  const before: Bar[] = [];
  let at = Date.parse(bars[0]?.at ?? last.at);
  while (before.length + bars.length + after.length < minBars[step]) {
    at = moved(at, step, -1);
    before.push(empty(at));
  }
  return [...before.toReversed(), ...bars, ...after];
};

/** Returns the smallest of 1, 2, 5, 10, 20, 50 … that is not below the value; at least 1. */
export const roundedUp = (value: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value) ?? 10 * power;
};
