import type { ReactElement } from 'react';
import type { IncidentSummary } from '../../../app/contract/views/incident-view.ts';
import { withoutFolder } from '../../../app/format/short-command.ts';
import { ForeignText } from '../text/foreign-text.tsx';
import { Ago } from '../text/times.tsx';
import { OutcomeIcon } from './outcome-icon.tsx';

interface IncidentLineProps {
  readonly incident: Pick<IncidentSummary, 'outcome' | 'command' | 'at'>;
  /** Classes of the list for the command and for its time. */
  readonly styles: Readonly<Record<string, string>>;
}

/** How an incident ended, its command, and when. */
export const IncidentLine = ({ incident, styles }: IncidentLineProps): ReactElement => (
  <>
    <OutcomeIcon outcome={incident.outcome} />
    <code className={styles['command']}>
      <ForeignText text={withoutFolder(incident.command)} />
    </code>
    <span className={styles['quiet']}>
      <Ago at={incident.at} />
    </span>
  </>
);
