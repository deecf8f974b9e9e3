import type { ReactElement } from 'react';
import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { stateSaid } from '../../../app/text/states.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import type { CountdownText } from './countdown-of.ts';
import styles from './job-card.module.css';

interface StateMarkProps {
  readonly state: SnapshotJob['verdict']['state'];
  readonly countdown: CountdownText | null;
}

/** The most urgent fact of a card: its countdown, else that it is left over or probably is. */
export const StateMark = ({ state, countdown }: StateMarkProps): ReactElement | null => {
  const { voice } = useLanguage();
  if (state === 'probable')
    return (
      <span className={styles.countdown} data-tone="probable">
        {voice.said(stateSaid(state))}
      </span>
    );
  if (countdown === null && state !== 'orphaned') return null;
  return (
    <span className={styles.countdown} data-tone={countdown?.tone ?? 'amber'}>
      {countdown?.text ?? voice.said(stateSaid(state))}
    </span>
  );
};
