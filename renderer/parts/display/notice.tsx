import type { ReactElement, ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import styles from './notice.module.css';

interface NoticeProps {
  readonly tone: 'quiet' | 'amber' | 'red';
  readonly icon: IconName;
  readonly children: ReactNode;
  /** Buttons at its end. */
  readonly actions?: ReactNode;
  /** How a screen reader announces it: at once for a recent failure, politely otherwise. */
  readonly live?: 'assertive' | 'polite';
}

/** Something that the user should know about the whole, with possible actions. */
export const Notice = ({ tone, icon, children, actions, live }: NoticeProps): ReactElement => (
  <div
    className={`${styles.notice} ${styles[tone]}`}
    {...(live === undefined ? {} : { role: live === 'assertive' ? 'alert' : 'status' })}
  >
    <Icon name={icon} />
    <div className={styles.words}>{children}</div>
    {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
  </div>
);
