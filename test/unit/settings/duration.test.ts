import { describe, expect, test } from 'vitest';
import { formatDuration, longestDurationSeconds, parseDuration } from '../../../app/settings/duration.ts';

describe('durations that are understood', () => {
  test.each([
    ['90', 90],
    ['90s', 90],
    ['30m', 1800],
    ['4h', 14_400],
    ['2d', 172_800],
    ['0', 0],
    ['007m', 420],
  ])('%s is %i s', (text, seconds) => {
    expect(parseDuration(text)).toEqual({ ok: true, seconds });
  });
});

describe('everything else is refused', () => {
  test.each([
    ['', 'empty'],
    [' ', 'form'],
    ['1.5h', 'form'],
    ['-5', 'form'],
    ['+5', 'form'],
    ['5 m', 'form'],
    [' 5m', 'form'],
    ['5m\n', 'form'],
    ['1h30m', 'form'],
    ['5M', 'form'],
    ['5w', 'form'],
    ['5ms', 'form'],
    ['m', 'form'],
    ['1e3', 'form'],
    ['0x10', 'form'],
    ['Infinity', 'form'],
    ['٣', 'form'],
    ['5constructor', 'form'],
    ['99999999999999999999', 'too-long'],
    [`${longestDurationSeconds + 1}`, 'too-long'],
    ['1'.repeat(400), 'too-long'],
  ])('“%s” (%s)', (text, problem) => {
    expect(parseDuration(text)).toEqual({ ok: false, problem });
  });
});

test.each([
  [0, '0s'],
  [59, '59s'],
  [60, '1m'],
  [90, '90s'],
  [5400, '90m'],
  [7200, '2h'],
  [86_400, '1d'],
  [90_000, '25h'],
  [1.9, '1s'],
  [-3, '0s'],
  [Number.NaN, '0s'],
])('%d s is written %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});
