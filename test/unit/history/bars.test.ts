import { describe, expect, test } from 'vitest';
import { historyBars, type HistoryBar } from '../../../app/history/bars.ts';

const stretch = (iso: string, ended = 1): HistoryBar => ({
  atMs: Date.parse(iso),
  ended,
  survived: 0,
  other: 0,
  freedBytes: 10,
});

const utc = (): number => 0;
const shown = (bars: readonly HistoryBar[]): readonly string[] => bars.map((bar) => new Date(bar.atMs).toISOString());

test('nothing is no bar', () => {
  expect(historyBars([], utc)).toEqual({ step: 'day', bars: [] });
});

test('days without incidents have a bar of nothing', () => {
  const { step, bars } = historyBars(
    [stretch('2026-11-01T10:00:00Z', 2), stretch('2026-11-01T23:45:00Z'), stretch('2026-11-04T00:00:00Z')],
    utc,
  );
  expect(step).toBe('day');
  expect(bars.map((bar) => [bar.ended, bar.freedBytes])).toEqual([
    [3, 20],
    [0, 0],
    [0, 0],
    [1, 10],
  ]);
});

test("a day is one in the user's time zone", () => {
  // 23:30 in Kathmandu (+5:45) on the 1st and 00:15 on the 2nd.
  const { bars } = historyBars(
    [stretch('2026-11-01T17:45:00Z'), stretch('2026-11-01T18:30:00Z'), stretch('2026-11-04T18:30:00Z')],
    () => 345,
  );
  expect(shown(bars).slice(0, 2)).toEqual(['2026-10-31T18:15:00.000Z', '2026-11-01T18:15:00.000Z']);
  expect(bars.slice(0, 2).map((bar) => bar.ended)).toEqual([1, 1]);
});

test('a day on which the clocks change begins at its midnight', () => {
  // Berlin: +2 h until 2026-10-25T01:00Z, then +1 h.
  const berlin = (atMs: number): number => (atMs < Date.UTC(2026, 9, 25, 1) ? 120 : 60);
  const { bars } = historyBars([stretch('2026-10-24T10:00:00Z'), stretch('2026-10-27T10:00:00Z')], berlin);
  expect(shown(bars)).toEqual([
    '2026-10-23T22:00:00.000Z',
    '2026-10-24T22:00:00.000Z',
    '2026-10-25T23:00:00.000Z',
    '2026-10-26T23:00:00.000Z',
  ]);
});

describe('the longer the span, the longer the step', () => {
  test.each([
    ['2026-11-20T10:00:00Z', '2026-11-21T09:00:00Z', 'hour', 24],
    ['2026-11-01T10:00:00Z', '2026-11-21T09:00:00Z', 'day', 21],
    ['2026-01-01T10:00:00Z', '2026-11-21T09:00:00Z', 'week', 47],
    ['2015-01-31T10:00:00Z', '2026-11-21T09:00:00Z', 'month', 143],
  ])('%s to %s by %s', (first, last, step, count) => {
    const result = historyBars([stretch(first), stretch(last)], utc);
    expect(result.step).toBe(step);
    expect(result.bars).toHaveLength(count);
  });
});

test('a record that a wrong clock put into 1970 makes no endless chart', () => {
  const { bars } = historyBars([stretch('1970-01-01T00:00:00Z'), stretch('2026-11-21T09:00:00Z', 5)], utc);
  expect(bars.length).toBeLessThanOrEqual(400);
  expect(bars.at(-1)?.ended).toBe(5);
});
