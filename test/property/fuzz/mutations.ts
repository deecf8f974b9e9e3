import * as fc from 'fast-check';
import { test } from 'vitest';

/**
 * Mutated samples for each parser; the environment variable asks for more on a machine that has the
 * time.
 */
const runs = Number(process.env['CURFEW_TEST_FUZZ_RUNS'] ?? 300);

/**
 * How long a repetitive text is: as much of a command line as is read. A parser that looks through
 * the rest for each piece of it would take minutes to hours.
 */
const longBytes = 262_144;

/** One change to bytes, with places as fractions of their length. */
type Edit =
  | { readonly kind: 'flip'; readonly at: number; readonly bit: number }
  | { readonly kind: 'cut'; readonly at: number; readonly length: number }
  | { readonly kind: 'insert'; readonly at: number; readonly bytes: Uint8Array }
  | { readonly kind: 'repeat'; readonly at: number; readonly length: number; readonly times: number };

const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
/** What ends or opens something in one of the texts, besides any byte. */
const telling = fc
  .constantFrom('\0', '\n', ' ', ')', '(', '"', "'", '\\', '{', '}', '[', ':', ',', '-1', '0', '1e999', '\uFEFF')
  .map((text) => Uint8Array.from(Buffer.from(text)));
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ kind: fc.constant('flip' as const), at: place, bit: fc.nat(7) }),
  fc.record({ kind: fc.constant('cut' as const), at: place, length: fc.nat(40) }),
  fc.record({
    kind: fc.constant('insert' as const),
    at: place,
    bytes: fc.oneof(telling, fc.uint8Array({ maxLength: 8 })),
  }),
  fc.record({
    kind: fc.constant('repeat' as const),
    at: place,
    length: fc.nat(40),
    times: fc.integer({ min: 2, max: 9 }),
  }),
);

const edited = (bytes: Buffer, one: Edit): Buffer => {
  const at = Math.floor(one.at * bytes.length);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  switch (one.kind) {
    case 'flip': {
      const copy = Buffer.from(bytes);
      if (copy.length > 0) copy[at] = (copy[at] ?? 0) ^ (1 << one.bit);
      return copy;
    }
    case 'cut':
      return Buffer.concat([before, after.subarray(one.length)]);
    case 'insert':
      return Buffer.concat([before, one.bytes, after]);
    case 'repeat':
      return Buffer.concat([before, ...Array.from({ length: one.times }, () => after.subarray(0, one.length)), after]);
  }
};

/**
 * A piece of a sample over and over, in its place: what a pattern begins to fit again and again.
 */
const repetitive = (samples: readonly Buffer[]): fc.Arbitrary<Buffer> =>
  fc
    .tuple(fc.constantFrom(...samples), place, fc.integer({ min: 1, max: 60 }), fc.boolean())
    .map(([sample, where, length, whole]) => {
      const at = Math.floor(where * sample.length);
      const piece = sample.subarray(at, at + length);
      if (piece.length === 0) return sample;
      const many = Buffer.alloc(longBytes, piece);
      return Buffer.concat([sample.subarray(0, at), many, whole ? sample.subarray(at + length) : Buffer.alloc(0)]);
    });

/** One character over and over, behind the beginning of a sample. */
const monotonous = (samples: readonly Buffer[]): readonly Buffer[] =>
  ['a', '"', "'", '\\', '\n', '\0', ' ', '>', '(', '[', '{"a":', '0', 'ÿ'].flatMap((unit) => {
    const many = Buffer.alloc(longBytes, unit);
    return [many, ...samples.slice(0, 2).map((sample) => Buffer.concat([sample.subarray(0, sample.length / 2), many]))];
  });

/**
 * Tests of a parser's guarantee: it never throws, for any bytes, and terminates (a hang is the
 * test's own timeout).
 * @param samples valid inputs
 * @param parse what the caller does with the bytes, including the errors that it handles
 */
export const neverThrowsOrHangs = (
  name: string,
  samples: readonly (string | Buffer)[],
  parse: (bytes: Buffer) => unknown,
): void => {
  const bytes = samples.map((sample) => Buffer.from(sample));
  const mutated = fc
    .tuple(fc.constantFrom(...bytes), fc.array(edit, { maxLength: 12 }))
    .map(([sample, edits]) => edits.reduce(edited, sample));
  test(`${name}: any bytes`, () => {
    for (const sample of bytes) parse(sample);
    fc.assert(
      fc.property(
        fc.oneof(
          { weight: 9, arbitrary: mutated },
          { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((any) => Buffer.from(any)) },
        ),
        (one) => void parse(one),
      ),
      { numRuns: runs },
    );
  });
  test(`${name}: long repetitive texts`, () => {
    for (const one of monotonous(bytes)) parse(one);
    fc.assert(
      fc.property(repetitive(bytes), (one) => void parse(one)),
      { numRuns: Math.ceil(runs / 10), endOnFailure: true },
    );
  });
};
