import type { ReactElement, ReactNode } from 'react';
import styles from './section.module.css';

interface SectionProps {
  readonly title?: string;
  readonly body?: string;
  readonly children: ReactNode;
}

/** A titled group of a settings panel. */
export const Section = ({ title, body, children }: SectionProps): ReactElement => (
  <section className={styles.section}>
    {title === undefined ? null : <h2>{title}</h2>}
    {body === undefined ? null : <p className={styles.body}>{body}</p>}
    {children}
  </section>
);

/** Introductory sentence of a panel. */
export const Intro = ({ children }: { readonly children: ReactNode }): ReactElement => (
  <p className={styles.intro}>{children}</p>
);

/** Rows with lines between them, in a box. */
export const Rows = ({ children }: { readonly children: ReactNode }): ReactElement => (
  <div className={styles.rows}>{children}</div>
);

interface RowProps {
  readonly label: ReactNode;
  readonly labelId?: string;
  readonly htmlFor?: string;
  readonly body?: ReactNode;
  readonly bodyId?: string;
  readonly children?: ReactNode;
}

/** Label on the left, control on the right. */
export const Row = ({ label, labelId, htmlFor, body, bodyId, children }: RowProps): ReactElement => (
  <div className={styles.row}>
    <div className={styles.words}>
      {htmlFor === undefined ? (
        <span id={labelId} className={styles.label}>
          {label}
        </span>
      ) : (
        <label id={labelId} className={styles.label} htmlFor={htmlFor}>
          {label}
        </label>
      )}
      {body === undefined ? null : (
        <span id={bodyId} className={styles.body}>
          {body}
        </span>
      )}
    </div>
    {children === undefined ? null : <div className={styles.control}>{children}</div>}
  </div>
);
