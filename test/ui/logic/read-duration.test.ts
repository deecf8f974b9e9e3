import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readDuration, writeDuration } from '../../../renderer/settings/limits/read-duration.ts';

test('what is written is read again, to the second', () => {
  fc.assert(
    fc.property(fc.nat({ max: 400 * 86_400 }), (seconds) => {
      expect(readDuration(writeDuration(seconds))).toBe(seconds);
    }),
  );
});

test.for([
  ['90', 90],
  ['90s', 90],
  ['30 min', 1800],
  ['30m', 1800],
  ['4h', 14_400],
  ['1 h 30 min', 5400],
  ['2d', 172_800],
] as const)('%s is %d seconds', ([text, seconds]) => {
  expect(readDuration(text)).toBe(seconds);
});

test.for(['', 'soon', '-5', '4 weeks', 'h', '1.5 h', '30 min!', 'Infinity', '99999999999'])(
  '%s is not a duration',
  (text) => {
    expect(readDuration(text)).toBeNull();
  },
);
