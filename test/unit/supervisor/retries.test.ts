import { expect, test } from 'vitest';
import { asJobId } from '../../../app/model/job.ts';
import { Retries } from '../../../main/supervisor/watch.ts';

const job = asJobId('0000abcd');
const minute = 60_000;

test('after each attempt that failed the pause is twice as long, up to an hour', () => {
  let now = 0;
  const retries = new Retries(() => now);
  const pauses: number[] = [];
  for (let attempt = 0; attempt < 9; attempt += 1) {
    retries.note(job, attempt % 3 === 0 ? null : 'survived');
    const from = now;
    while (!retries.allows(job)) now += minute;
    pauses.push((now - from) / minute);
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
});

test('a success, and the end of the job, begin anew', () => {
  let now = 0;
  const retries = new Retries(() => now);
  retries.note(job, 'spared');
  expect(retries.allows(job)).toBe(false);
  retries.note(job, 'killed');
  expect(retries.allows(job)).toBe(true);
  retries.note(job, 'survived');
  retries.note(job, 'survived');
  retries.keepOnly(new Set());
  expect(retries.allows(job)).toBe(true);
  retries.note(job, 'survived');
  now += minute;
  expect(retries.allows(job)).toBe(true);
});
