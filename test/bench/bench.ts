import type { Plot } from './plot.ts';

/** One comparison: something of ours beside something else, measured in turns in one run. */
export interface Figure {
  /** What of ours: "steady scan". */
  readonly what: string;
  /** What it is compared with: "ps -eo …". */
  readonly comparedWith: string;
  /** With how many processes, incidents, jobs. */
  readonly at: number;
  readonly unit: 'ms' | 's' | 'MB' | '%' | 'exponent';
  /** Medians, in the unit. */
  readonly ours: number;
  readonly theirs: number;
  /** Median of the ratios of neighbouring measurements, ours to theirs. */
  readonly ratio: number;
  /** What the ratio must not exceed; null where the design sets no bar at this size. */
  readonly bar: number | null;
  /** What ours itself must not exceed, in the unit, where the design says so. */
  readonly most?: number | null;
}

/** What a bench found. */
export interface Findings {
  readonly figures: readonly Figure[];
  readonly plots: readonly Plot[];
}

/** A bench: a file of its own in this folder, listed in `benches.ts`. It runs inside a pid namespace of its own. */
export interface Bench {
  readonly name: string;
  /** Says what it is doing through `progress`, which is not part of the result. */
  run(progress: (text: string) => void): Promise<Findings>;
}

/** True when the figure keeps to its bars, or has none. */
export const keepsBar = ({ ours, ratio, bar, most = null }: Figure): boolean =>
  (bar === null || ratio <= bar) && (most === null || ours <= most);
