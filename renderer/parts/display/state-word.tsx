import type { ReactElement } from 'react';
import styles from './state-word.module.css';

/** The state of an entry in one word; `amber`: the user may want to act. */
export const StateWord = ({
  tone,
  children,
}: {
  readonly tone: 'amber' | 'quiet';
  readonly children: string;
}): ReactElement => (
  <span className={styles.state} data-tone={tone}>
    {children}
  </span>
);
