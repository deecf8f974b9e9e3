import * as fc from 'fast-check';

// What properties get for `fast-check` where mutants are tried: in `npm test` one looks at up to 5000 worlds, and each mutant would wait for all.
// The same few for every mutant: a figure that changes by itself explains nothing. Without shrinking, since nobody reads the failures.
const runs = 50;

export const assert = (
  property: fc.IRawProperty<unknown>,
  parameters: fc.Parameters<unknown> = {},
): Promise<void> | void =>
  fc.assert(property, {
    ...parameters,
    seed: 1,
    numRuns: Math.min(parameters.numRuns ?? runs, runs),
    endOnFailure: true,
  });

export * from 'fast-check';
