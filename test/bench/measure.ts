/** Measured work; it is finished when it returns or its promise is fulfilled. */
export type Work = () => unknown;

/** Milliseconds of two works that were measured alternately. */
export interface Comparison {
  readonly ours: number;
  readonly theirs: number;
  readonly ratio: number;
  /** The minimum of ours: what remains without disturbance. */
  readonly ourLeast: number;
  /** CPU time of this process alone, ours and theirs: independent of the machine's load. */
  readonly ourCpu: number;
  readonly theirCpu: number;
}

/** Returns the middle value. Throws for an empty list. */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[sorted.length >> 1];
  if (middle === undefined) throw new Error('nothing was measured');
  return middle;
};

/** Wall clock and CPU time, milliseconds. */
interface Taken {
  readonly wall: number;
  readonly cpu: number;
}

const measure = async (work: Work): Promise<Taken> => {
  const before = process.cpuUsage();
  const start = process.hrtime.bigint();
  const result = work();
  if (result instanceof Promise) await result;
  const wall = Number(process.hrtime.bigint() - start) / 1e6;
  const { user, system } = process.cpuUsage(before);
  return { wall, cpu: (user + system) / 1000 };
};

/**
 * Measures two works alternately, A B A B …, so that the machine's other load affects both. The
 * ratio is the median of the ratios of neighbours; the first turn warms up and is not counted.
 */
export const compare = async (ours: Work, theirs: Work, rounds: number): Promise<Comparison> => {
  const mine: Taken[] = [];
  const others: Taken[] = [];
  for (let round = 0; round <= rounds; round++) {
    const one = await measure(ours);
    const other = await measure(theirs);
    if (round === 0) continue;
    mine.push(one);
    others.push(other);
  }
  const wall = mine.map((one) => one.wall);
  return {
    ours: median(wall),
    theirs: median(others.map((one) => one.wall)),
    ratio: median(wall.map((one, index) => one / (others[index]?.wall ?? Number.NaN))),
    ourLeast: Math.min(...wall),
    ourCpu: median(mine.map((one) => one.cpu)),
    theirCpu: median(others.map((one) => one.cpu)),
  };
};

/** Returns the exponent b of a·nᵇ through two measurements: 1 is linear growth, less is better. */
export const growthExponent = (
  small: { readonly at: number; readonly ms: number },
  large: { readonly at: number; readonly ms: number },
): number => Math.log(large.ms / small.ms) / Math.log(large.at / small.at);
