import type { ReactElement, ReactNode } from 'react';
import styles from './heading.module.css';

interface HeadingProps {
  readonly id?: string;
  readonly children: ReactNode;
}

/** The quiet heading of a group in a list. */
export const Heading = ({ id, children }: HeadingProps): ReactElement => (
  <h2 className={styles.heading} {...(id === undefined ? {} : { id })}>
    {children}
  </h2>
);
