import type { ReactElement } from 'react';
import styles from './icon.module.css';

/** Drawn on a grid of 16, in lines of 1.5, round ends. */
const shapes = {
  check: 'M3.5 8.5 6.5 11.5 12.5 4.5',
  cross: 'M4 4 12 12M12 4 4 12',
  alert: 'M8 2 14.5 13.5H1.5ZM8 6.5V9.5M8 11.6V11.7',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 7.5V11M8 5V5.1',
  pause: 'M5.5 4V12M10.5 4V12',
  chevron: 'M4 6 8 10 12 6',
  back: 'M10 4 6 8 10 12',
  shield: 'M8 1.8 13 3.8V8C13 11 11 13.2 8 14.3 5 13.2 3 11 3 8V3.8Z',
  moon: 'M13.5 9.6A5.8 5.8 0 0 1 6.4 2.5a5.8 5.8 0 1 0 7.1 7.1Z',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10ZM10.7 10.7 14 14',
  skull: 'M4 4 12 12M12 4 4 12M8 14.5A6.5 6.5 0 1 0 8 1.5a6.5 6.5 0 0 0 0 13Z',
  gone: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM5.5 8H10.5',
  offline:
    'M2 2 14 14M5 8.5a4.5 4.5 0 0 1 2-1.1M2.8 6a8 8 0 0 1 2-1.4M9.4 7.6A4.5 4.5 0 0 1 11 8.5M8 4c2 0 3.8.8 5.2 2M8 12V12.1',
} as const;

export type IconName = keyof typeof shapes;

/** A small icon beside words; it adds nothing to them, so screen readers skip it. */
export const Icon = ({ name }: { readonly name: IconName }): ReactElement => (
  <svg className={styles.icon} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    <path d={shapes[name]} />
  </svg>
);
