import type { ReactElement } from 'react';
import type { IncidentSummary } from '../../../app/contract/views/incident-view.ts';
import { endingSaid } from '../../../app/text/outcomes.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { alone } from '../../texts/word-of.ts';
import { Icon, type IconName } from './icon.tsx';
import styles from './outcome-icon.module.css';

const icons: Readonly<Record<string, IconName>> = {
  reaped: 'check',
  killed: 'skull',
  survived: 'alert',
  spared: 'shield',
  vanished: 'gone',
  interrupted: 'alert',
};

/** How a reaping ended, as an icon with its word for screen readers. */
export const OutcomeIcon = ({ outcome }: { readonly outcome: IncidentSummary['outcome'] }): ReactElement => {
  const { voice } = useLanguage();
  const word = alone(voice.said(endingSaid(outcome)));
  return (
    <span className={styles.outcome} data-outcome={outcome ?? 'unfinished'} title={word}>
      <Icon name={icons[outcome ?? ''] ?? 'moon'} />
      <span className="visually-hidden">{word}</span>
    </span>
  );
};
