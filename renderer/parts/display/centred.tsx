import type { ReactElement, ReactNode } from 'react';
import styles from './centred.module.css';

interface CentredProps {
  readonly picture?: ReactNode;
  readonly title: string;
  /** It is the page's only content. */
  readonly whole?: boolean;
  readonly children?: ReactNode;
}

/** Centred content of a view with nothing else to show: empty, loading, failed. */
export const Centred = ({ picture, title, whole = false, children }: CentredProps): ReactElement => (
  <div className={styles.centred}>
    {picture === undefined ? null : <div className={styles.picture}>{picture}</div>}
    {whole ? <h1 className={styles.title}>{title}</h1> : <p className={styles.title}>{title}</p>}
    {children === undefined ? null : <div className={styles.body}>{children}</div>}
  </div>
);
