import type { Plot } from './plot.ts';

/** One comparison: something of ours beside something else, measured in turns in one run. */
export interface Figure {
  /** What of ours: "steady scan". */
  readonly what: string;
  /** What it is compared with: "ps -eo …". */
  readonly comparedWith: string;
  /** With how many processes, incidents, jobs. */
  readonly at: number;
  readonly unit: 'ms' | 'MB' | 'exponent';
  /** Medians, in the unit. */
  readonly ours: number;
  readonly theirs: number;
  /** Median of the ratios of neighbouring measurements, ours to theirs. */
  readonly ratio: number;
  /** What the ratio must not exceed; null where the design sets no bar at this size. */
  readonly bar: number | null;
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

/** True when the figure keeps to its bar, or has none. */
export const keepsBar = ({ ratio, bar }: Figure): boolean => bar === null || ratio <= bar;
