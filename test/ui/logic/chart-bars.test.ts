import { expect, test } from 'vitest';
import { filledBars, roundedUp } from '../../../renderer/history/chart-bars.ts';

const bar = (at: string) => ({ at, ended: 1, survived: 0, other: 0, freedBytes: 10 });

test('one incident an hour ago is one bar of 24, not a slab', () => {
  const bars = filledBars(
    { step: 'hour', bars: [bar('2026-11-21T09:00:00.000Z')] },
    Date.parse('2026-11-21T10:42:00Z'),
  );
  expect(bars).toHaveLength(24);
  expect(bars.at(-1)?.at).toBe('2026-11-21T10:00:00.000Z');
  expect(bars.at(-2)?.ended).toBe(1);
  expect(bars[0]?.at).toBe('2026-11-20T11:00:00.000Z');
});

test('days go up to today, and nothing is made of no incidents', () => {
  const days = [bar('2026-11-01T00:00:00.000Z'), bar('2026-11-02T00:00:00.000Z')];
  expect(filledBars({ step: 'day', bars: days }, Date.parse('2026-11-21T10:42:00Z'))).toHaveLength(21);
  expect(filledBars({ step: 'day', bars: [] }, 0)).toEqual([]);
});

test.each([
  [0, 1],
  [1, 1],
  [3, 5],
  [11, 20],
  [50, 50],
  [1_400_000_000, 2_000_000_000],
])('the scale for %d ends at %d', (value, end) => {
  expect(roundedUp(value)).toBe(end);
});
