import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expose, expositionFormats } from '../../../app/metrics/exposition.ts';
import type { MetricFamily, Sample } from '../../../app/metrics/family.ts';
import { hostileText } from '../hostile-text.ts';
import { readExposition, type ReadSample } from './read-exposition.ts';

const anyText = fc.oneof(hostileText, fc.string({ unit: 'binary' }), fc.constantFrom('\\', '\\n', '"', '\n', '\\"'));
const labelName = fc.constantFrom('agent', 'host', 'kind');
const labels = fc.dictionary(labelName, anyText, { noNullPrototype: true });
const value = fc.oneof(
  fc.double({ noNaN: true }),
  fc.integer(),
  fc.constantFrom(1e21, 1e-7, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, -0),
);
const count = fc.oneof(fc.nat(), fc.double({ min: 0, noNaN: true }));
const moment = fc.double({ min: 0, max: 1e10, noNaN: true });

const distinct = (samples: fc.Arbitrary<number>) =>
  fc.uniqueArray(fc.record({ labels, value: samples }), {
    maxLength: 6,
    selector: (sample: Sample) =>
      JSON.stringify(['agent', 'host', 'kind'].map((name) => sample.labels[name]?.toWellFormed() ?? null)),
  });

const named = fc.oneof(
  fc.record({ name: fc.constant('curfew_a_bytes' as const), unit: fc.constant('bytes' as const) }),
  fc.record({ name: fc.constant('curfew_b_seconds' as const), unit: fc.constant('seconds' as const) }),
  fc.record({ name: fc.constantFrom('curfew_c' as const, 'curfew_d' as const), unit: fc.constant(null) }),
);
const shape = fc.oneof(
  fc.record({ kind: fc.constant('gauge' as const), samples: distinct(value) }),
  fc.record({
    kind: fc.constant('counter' as const),
    samples: distinct(count),
    createdSeconds: fc.option(moment),
  }),
  fc.record({ kind: fc.constant('info' as const), labels }),
  fc.record({ kind: fc.constant('summary' as const), count: fc.nat(), sum: count, createdSeconds: moment }),
);
const family: fc.Arbitrary<MetricFamily> = fc
  .tuple(named, anyText, shape)
  .map(([name, help, rest]) => ({ ...name, help, ...rest }));
const families = fc.uniqueArray(family, { maxLength: 4, selector: ({ name }) => name });

const wellFormed = (all: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(all).map(([name, text]) => [name, text.toWellFormed()]));

/** The samples that a family is to be read back as, without the moments of OpenMetrics. */
const meant = (one: MetricFamily): readonly ReadSample[] => {
  if (one.kind === 'info') return [{ name: `${one.name}_info`, labels: wellFormed(one.labels), value: 1 }];
  if (one.kind === 'summary')
    return [
      { name: `${one.name}_count`, labels: {}, value: one.count },
      { name: `${one.name}_sum`, labels: {}, value: one.sum },
    ];
  const suffix = one.kind === 'counter' ? '_total' : '';
  return one.samples.map((sample) => ({
    name: one.name + suffix,
    labels: wellFormed(sample.labels),
    // Written as 0: both formats know no other.
    value: sample.value === 0 ? 0 : sample.value,
  }));
};

describe('the exposition of any numbers under any labels', () => {
  test.each(expositionFormats)('keeps every rule of %s and says what was put in', (format) => {
    fc.assert(
      fc.property(families, (all) => {
        const read = readExposition(expose(all, format), format);
        const some = all.filter((one) => meant(one).length > 0);
        expect(read.map(({ help }) => help)).toEqual(some.map(({ help }) => help.toWellFormed()));
        const numbers = read.flatMap(({ samples }) => samples.filter(({ name }) => !name.endsWith('_created')));
        expect(numbers).toEqual(some.flatMap(meant));
      }),
      { numRuns: 2_000 },
    );
  });

  test('OpenMetrics names the unit and since when a counter counts, the text format neither', () => {
    fc.assert(
      fc.property(families, (all) => {
        const some = all.filter((one) => meant(one).length > 0);
        const open = readExposition(expose(all, 'openmetrics'), 'openmetrics');
        expect(open.map(({ unit }) => unit)).toEqual(some.map(({ unit }) => unit));
        const created = (one: MetricFamily): number => {
          if (one.kind === 'summary') return 1;
          return one.kind === 'counter' && one.createdSeconds !== null ? one.samples.length : 0;
        };
        expect(open.map(({ samples }) => samples.filter(({ name }) => name.endsWith('_created')).length)).toEqual(
          some.map(created),
        );
        expect(expose(all, 'text')).not.toMatch(/^curfew_\w+_created/mu);
      }),
      { numRuns: 500 },
    );
  });
});
