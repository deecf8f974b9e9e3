import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type PidCursor, isReusable, pidsBetween, reusedBetween } from '../../../../main/os/linux/proc/pid-cursor.ts';

const cursor = (last: number, forks: number, more: Partial<PidCursor> = {}): PidCursor => ({
  last,
  forks,
  pidMax: 32_768,
  threads: 100,
  ...more,
});

test('only pids after the earlier cursor and up to the later one can be reused', () => {
  const reused = reusedBetween(cursor(1_000, 0), cursor(1_200, 200));
  expect([1_000, 1_001, 1_200, 1_201].map((pid) => isReusable(reused, pid))).toEqual([false, true, true, false]);
});

test('the interval goes round at pid_max', () => {
  const reused = reusedBetween(cursor(32_000, 0), cursor(400, 1_000));
  expect([31_999, 32_001, 32_767, 300, 400, 401].map((pid) => isReusable(reused, pid))).toEqual([
    false,
    true,
    true,
    true,
    true,
    false,
  ]);
});

test('without new processes no pid is reused', () => {
  const reused = reusedBetween(cursor(1_000, 5), cursor(1_000, 5));
  expect([999, 1_000, 1_001].map((pid) => isReusable(reused, pid))).toEqual([false, false, false]);
});

test('the pids in between are listed, also round pid_max, unless they are many or unknown', () => {
  expect(pidsBetween(cursor(1_000, 0), cursor(1_003, 3))).toEqual([1_001, 1_002, 1_003]);
  expect(pidsBetween(cursor(1_000, 0), cursor(1_000, 0))).toEqual([]);
  expect(pidsBetween(cursor(32_766, 0), cursor(2, 4))).toEqual([32_767, 32_768, 1, 2]);
  expect(pidsBetween(cursor(1_000, 0), cursor(1_300, 300))).toBeNull();
  expect(pidsBetween(null, cursor(1_000, 0))).toBeNull();
  expect(pidsBetween(cursor(1_000, 0), cursor(1_003, 30_000))).toBeNull();
});

test.each([
  ['no earlier look', null, cursor(1, 1)],
  ['unknown now', cursor(1, 1), null],
  ['enough starts to close the cycle', cursor(1_000, 0), cursor(1_001, 30_000)],
  ['another pid_max', cursor(1_000, 0), cursor(1_001, 1, { pidMax: 4_194_304 })],
  ['a count of starts that went back', cursor(1_000, 10), cursor(1_001, 9)],
  ['hardly any free pid left', cursor(1_000, 0, { threads: 32_400 }), cursor(1_001, 40)],
])('any pid can be another: %s', (_case, before, now) => {
  expect(reusedBetween(before, now)).toEqual({ kind: 'all' });
});

test('every pid that a cyclic allocator returns between two scans counts as reusable', () => {
  const reserved = 300;
  const pidMax = 2_000;
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: pidMax - 1 }),
      fc.nat(600),
      fc.uniqueArray(fc.nat(pidMax)),
      (last, starts, taken) => {
        const alive = new Set(taken.slice(0, 400));
        const handedOut: number[] = [];
        let at = last;
        while (handedOut.length < starts) {
          at = at + 1 >= pidMax ? reserved : at + 1;
          if (!alive.has(at)) handedOut.push(at);
        }
        const end = handedOut.at(-1) ?? last;
        const reused = reusedBetween(cursor(last, 0, { pidMax }), cursor(end, starts, { pidMax }));
        for (const pid of handedOut) expect(isReusable(reused, pid)).toBe(true);
      },
    ),
  );
});
