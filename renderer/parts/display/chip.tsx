import type { ReactElement, ReactNode } from 'react';
import styles from './chip.module.css';

/** Urgency of a chip; its words express it too. */
export type Tone = 'red' | 'amber' | 'quiet';

interface ChipProps {
  readonly tone: Tone;
  /** The whole sentence, as a tooltip. */
  readonly title?: string;
  readonly children: ReactNode;
}

/** One short reason. */
export const Chip = ({ tone, title, children }: ChipProps): ReactElement => (
  <li className={`${styles.chip} ${styles[tone]}`} title={title}>
    {children}
  </li>
);

/** Reasons in a row that wraps. */
export const Chips = ({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactElement => (
  <ul className={styles.chips} aria-label={label}>
    {children}
  </ul>
);
