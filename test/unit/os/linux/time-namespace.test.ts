import { expect, test } from 'vitest';
import { offsetsIn } from '../../../../main/os/linux/proc/clock.ts';

test('the offsets of a time namespace are read with their parts of a second; no file is none', () => {
  expect(offsetsIn('monotonic           7         500000000\nboottime       -28800         0\n')).toEqual({
    bootSeconds: -28_800,
    monotonicSeconds: 7.5,
  });
  expect(offsetsIn('')).toEqual({ bootSeconds: 0, monotonicSeconds: 0 });
});
