import type { Plot } from './plot.ts';

/** One comparison: something of ours beside something else, measured alternately in one run. */
export interface Figure {
  /** What is measured: "steady scan". */
  readonly what: string;
  /** What it is compared with: "ps -eo …". */
  readonly comparedWith: string;
  /** The number of processes, incidents or jobs. */
  readonly at: number;
  readonly unit: 'ms' | 's' | 'MB' | '%' | 'exponent' | 'connections';
  /** Medians, in the unit. */
  readonly ours: number;
  readonly theirs: number;
  /** Median of the ratios of neighbouring measurements, ours to theirs. */
  readonly ratio: number;
  /** The maximum of the ratio; null if the design sets no bar at this size. */
  readonly bar: number | null;
  /** The maximum of our own figure, in the unit, if the design sets one. */
  readonly most?: number | null;
}

/** The result of a bench. */
export interface Findings {
  readonly figures: readonly Figure[];
  readonly plots: readonly Plot[];
}

/**
 * A bench: a file of its own in this folder, listed in `benches.ts`. It runs inside its own pid
 * namespace.
 */
export interface Bench {
  readonly name: string;
  /** Reports what it is doing through `progress`, which is not part of the result. */
  run(progress: (text: string) => void): Promise<Findings>;
}

/** Returns whether the figure keeps to its bars, or has none. */
export const keepsBar = ({ ours, ratio, bar, most = null }: Figure): boolean =>
  (bar === null || ratio <= bar) && (most === null || ours <= most);
