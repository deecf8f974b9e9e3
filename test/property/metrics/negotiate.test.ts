import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { expositionFormats, negotiate } from '../../../app/metrics/exposition.ts';

const open = 'application/openmetrics-text;version=1.0.0';
const weight = fc.integer({ min: 1, max: 1000 }).map((thousandths) => thousandths / 1000);

test('the heavier of the two wins, wherever it stands', () => {
  fc.assert(
    fc.property(weight, weight, fc.boolean(), (openWeight, textWeight, openFirst) => {
      const parts = [`${open};q=${openWeight}`, `text/plain; version=0.0.4; q=${textWeight}`];
      const first = openFirst ? 'openmetrics' : 'text';
      const heavier = openWeight > textWeight ? 'openmetrics' : 'text';
      const wanted = openWeight === textWeight ? first : heavier;
      expect(negotiate((openFirst ? parts : parts.toReversed()).join(', '))).toBe(wanted);
    }),
  );
});

test('any header gets one of the two, and never the one that was not named', () => {
  const part = fc.oneof(fc.string(), fc.constantFrom(open, 'text/plain', '*/*', 'q=1', ';', ',', ';q=0', 'version='));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
      const header = parts.join('');
      const format = negotiate(header);
      expect(expositionFormats).toContain(format);
      expect(format === 'text' || header.toLowerCase().includes('application/openmetrics-text')).toBe(true);
    }),
    { numRuns: 3_000 },
  );
});
