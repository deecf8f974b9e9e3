/** Something whose duration is measured; it has done its work when it returns or its promise is fulfilled. */
export type Work = () => unknown;

/** Milliseconds of two works that were measured in turns. */
export interface Comparison {
  readonly ours: number;
  readonly theirs: number;
  readonly ratio: number;
  /** The least of ours: what remains when nothing else disturbed. */
  readonly ourLeast: number;
}

/** The middle value. Throws for an empty list. */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[sorted.length >> 1];
  if (middle === undefined) throw new Error('nothing was measured');
  return middle;
};

const milliseconds = async (work: Work): Promise<number> => {
  const start = process.hrtime.bigint();
  const result = work();
  if (result instanceof Promise) await result;
  return Number(process.hrtime.bigint() - start) / 1e6;
};

/**
 * Measures two works in turns, A B A B …, so that whatever else the machine does hits both. The ratio is the median of the ratios of
 * neighbours; the first turn warms up and is not counted.
 */
export const compare = async (ours: Work, theirs: Work, rounds: number): Promise<Comparison> => {
  const mine: number[] = [];
  const others: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const one = await milliseconds(ours);
    const other = await milliseconds(theirs);
    if (round === 0) continue;
    mine.push(one);
    others.push(other);
  }
  const ratios = mine.map((one, index) => one / (others[index] ?? Number.NaN));
  return { ours: median(mine), theirs: median(others), ratio: median(ratios), ourLeast: Math.min(...mine) };
};

/** The exponent b of a·nᵇ that two measurements lie on: 1 is linear growth, less is better. */
export const growthExponent = (
  small: { readonly at: number; readonly ms: number },
  large: { readonly at: number; readonly ms: number },
): number => Math.log(large.ms / small.ms) / Math.log(large.at / small.at);
