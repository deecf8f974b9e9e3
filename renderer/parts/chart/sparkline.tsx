import type { ReactElement } from 'react';
import { sparkHeight, sparkPath } from './spark-path.ts';
import styles from './sparkline.module.css';

interface SparklineProps {
  /** Oldest first; null: unknown. */
  readonly values: readonly (number | null)[];
  /** Values that the full width has. */
  readonly steps: number;
  /** Value at the top. */
  readonly max: number;
  /** What the chart says, in words. */
  readonly label: string;
}

/** A small chart of one figure over time, without axes. */
export const Sparkline = ({ values, steps, max, label }: SparklineProps): ReactElement => {
  const { line, area } = sparkPath(values, steps, max);
  return (
    <svg
      className={styles.spark}
      viewBox={`0 -1 ${steps - 1} ${sparkHeight + 2}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      focusable="false"
    >
      <path className={styles.area} d={area} />
      <path className={styles.line} d={line} />
    </svg>
  );
};
