import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { patternFits } from '../../../app/guard/script/own-text.ts';

test('a pattern of literal text, dots and gaps fits what a regular expression says it fits', () => {
  const piece = fc.constantFrom('a', 'b', 'ab', '.', '.*', '|a', ' ', 'A');
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'A', ' ', '\n', '-'), maxLength: 12 });
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), text, fc.boolean(), (pieces, given, ignoresCase) => {
      const pattern = `b${pieces.join('')}`;
      const expected = new RegExp(pattern, ignoresCase ? 'iu' : 'u').test(given);
      expect(patternFits({ pattern, inCommandLines: true, ignoresCase }, given)).toBe(expected);
    }),
    { numRuns: 2_000 },
  );
});
