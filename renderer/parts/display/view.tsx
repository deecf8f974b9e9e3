import type { ReactElement, ReactNode } from 'react';
import styles from './view.module.css';

/** A view with a title that scrolls as a whole, in a window of its own or as a page. */
export const View = ({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement => (
  <main className={styles.view}>
    <h1 className={styles.title}>{title}</h1>
    {children}
  </main>
);
