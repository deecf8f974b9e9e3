import { expect, test } from 'vitest';
import { countedDown, fateOf } from '../../../app/contract/claims/fate.ts';

const nowMs = 1_000_000_000;
const hourMs = 3_600_000;

test('an end within the hour is urgent, that of a leftover always', () => {
  expect(fateOf('overdue', nowMs + hourMs, null, nowMs)).toEqual({ kind: 'ends', seconds: 3600, isUrgent: true });
  expect(fateOf('within', nowMs + hourMs + 1, null, nowMs)).toMatchObject({ kind: 'ends', isUrgent: false });
  expect(fateOf('orphaned', nowMs + 9 * hourMs, null, nowMs)).toMatchObject({ kind: 'ends', isUrgent: true });
});

test('a kept job is kept, and one without a promised end stays', () => {
  expect(fateOf('kept', nowMs + 1000, nowMs + 60_000, nowMs)).toEqual({ kind: 'kept', seconds: 60 });
  expect(fateOf('kept', null, null, nowMs)).toEqual({ kind: 'stays' });
  expect(fateOf('past-cap', null, nowMs + 60_000, nowMs)).toEqual({ kind: 'stays' });
});

test('a countdown goes in seconds below two minutes, then in whole minutes', () => {
  expect([-3, 0.2, 119.5, 120, 121, 3599].map(countedDown)).toEqual([0, 1, 120, 120, 180, 3600]);
});
