import { describe, expect, test } from 'vitest';
import {
  durationText,
  maxDurationSeconds,
  parseDuration,
  parseWrittenDuration,
} from '../../../app/settings/duration.ts';

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
    [`${maxDurationSeconds + 1}`, 'too-long'],
    ['1'.repeat(400), 'too-long'],
  ])('“%s” (%s)', (text, problem) => {
    expect(parseDuration(text)).toEqual({ ok: false, problem });
  });
});

describe('durations as windows show them', () => {
  test.each([
    [0, '0 s'],
    [59, '59 s'],
    [60, '1 min'],
    [90, '1 min 30 s'],
    [5400, '1 h 30 min'],
    [86_400, '1 d'],
    [90_061, '1 d 1 h 1 min 1 s'],
    [0.5, '0.5 s'],
    [90.1, '1 min 30.1 s'],
    [-3, '0 s'],
    [Number.NaN, '0 s'],
  ])('%d s is written %s', (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });

  test.each([
    ['90', 90],
    ['90s', 90],
    ['30 min', 1800],
    ['30m', 1800],
    ['4h', 14_400],
    ['1 h 30 min', 5400],
    ['1 min 30 s', 90],
    ['1\u00A0min\u00A030\u00A0sec', 90],
    ['1h30m', 5400],
    ['30 MIN', 1800],
    ['2d', 172_800],
    ['0.5 s', 0.5],
    ['0.5', 0.5],
    ['1 min 30.1 s', 90.1],
  ] as const)('%s is %d seconds', (text, seconds) => {
    expect(parseWrittenDuration(text)).toEqual({ ok: true, seconds });
  });

  test.each([
    ['', 'empty'],
    [' ', 'empty'],
    ['soon', 'form'],
    ['-5', 'form'],
    ['4 weeks', 'form'],
    ['h', 'form'],
    ['1.5 h', 'form'],
    ['0.5 s 0.5 s', 'form'],
    ['1 2 s', 'form'],
    ['30 min!', 'form'],
    ['Infinity', 'form'],
    ['99999999999', 'too-long'],
    [`${'9'.repeat(400)} d`, 'too-long'],
  ] as const)('“%s” is none (%s)', (text, problem) => {
    expect(parseWrittenDuration(text)).toEqual({ ok: false, problem });
  });
});
