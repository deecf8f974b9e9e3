import { expect, test } from 'vitest';
import { incidentId, incidentRandomRange } from '../../../app/history/incident-id.ts';

const incidentIdPattern = /^[0-9a-hjkmnp-tv-z]{14}$/u;

test('an id has 14 characters without look-alikes', () => {
  const id = incidentId(Date.UTC(2026, 10, 21), 12_345);
  expect(id).toMatch(incidentIdPattern);
  expect(id).not.toMatch(/[ilou]/);
});

test('of two moments the later one has the greater id, whatever the random part', () => {
  expect(incidentId(1_000, 0) > incidentId(999, incidentRandomRange - 1)).toBe(true);
  expect(incidentId(Date.UTC(2027, 0, 1), 0) > incidentId(Date.UTC(2026, 11, 31), 9_999)).toBe(true);
});

test('two incidents of one millisecond differ', () => {
  expect(incidentId(5, 1)).not.toBe(incidentId(5, 2));
});

test('a clock that makes no sense still gives an id', () => {
  for (const atMs of [-1, Number.NaN, Number.POSITIVE_INFINITY, 8.64e15]) {
    expect(incidentId(atMs, incidentRandomRange - 1)).toMatch(incidentIdPattern);
  }
});
