import type { ReactElement } from 'react';
import type { IncidentSummary } from '../../app/contract/views/incident-view.ts';
import { IncidentLine } from '../parts/display/incident-line.tsx';
import { visibleText } from '../parts/text/visible-characters.ts';
import { projectName } from '../../app/format/project-name.ts';
import { agentName } from '../../app/text/agent-name.ts';
import { useLanguage } from '../texts/texts-context.ts';
import styles from './incident-list.module.css';

/** Height of a row at normal text size, in CSS pixels; grows with the text. */
export const rowHeight = 54;

interface IncidentRowProps {
  readonly id: string;
  /** null: still loading. */
  readonly incident: IncidentSummary | null;
  readonly index: number;
  readonly count: number;
  readonly top: number;
  readonly active: boolean;
  readonly selected: boolean;
  readonly onPress: () => void;
}

/** One incident in two lines: command, then agent, time and what was freed. */
export const IncidentRow = (props: IncidentRowProps): ReactElement => {
  const { id, incident, index, count, top, active, selected, onPress } = props;
  const { texts, format } = useLanguage();
  return (
    // The list has the focus and the keys; a row only takes the pointer.
    <div
      id={id}
      className={styles.row}
      role="option"
      aria-selected={selected}
      aria-setsize={count}
      aria-posinset={index + 1}
      data-active={active}
      style={{ translate: `0 ${top}px`, blockSize: `${rowHeight}px` }}
      onClick={onPress}
    >
      {incident === null ? (
        <span className={styles.quiet}>{texts.common.loading}</span>
      ) : (
        <>
          <IncidentLine incident={incident} styles={styles} />
          <span className={styles.about}>
            {[
              projectName(incident.project) ?? texts.common.noProject,
              agentName(incident.agent),
              ...(incident.host === 'local' ? [] : [incident.host]),
            ]
              .map(visibleText)
              .join(' · ')}
          </span>
          <span className={styles.quiet}>
            {incident.freed.rssBytes > 0 ? format.bytes(incident.freed.rssBytes) : ''}
          </span>
        </>
      )}
    </div>
  );
};
