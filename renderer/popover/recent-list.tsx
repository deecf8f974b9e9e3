import { useId, type ReactElement } from 'react';
import { leftoverGroups } from '../../app/contract/claims/leftovers.ts';
import { Heading } from '../parts/display/heading.tsx';
import { IncidentLine } from '../parts/display/incident-line.tsx';
import { useOpen } from '../state/route.ts';
import { useSnapshot } from '../state/store-context.ts';
import { useLanguage } from '../texts/texts-context.ts';
import { FreedThisWeek } from './leftovers/freed-this-week.tsx';
import lists from './job-lists.module.css';
import styles from './job-row.module.css';

/** Number of latest incidents in the popover. */
const most = 3;

/** The latest jobs that Curfew ended, one quiet line each; a press opens it in the history. */
export const RecentList = (): ReactElement | null => {
  const { texts } = useLanguage();
  const snapshot = useSnapshot();
  const { incidents, reapings } = snapshot;
  const open = useOpen();
  const id = useId();
  // A job with a card above isn't repeated.
  const onCard = new Set(reapings.map((reaping) => reaping.id));
  const shown = incidents.filter((incident) => incident.outcome !== null && !onCard.has(incident.id)).slice(0, most);
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <div className={styles.heading}>
        <Heading id={id}>{texts.popover.recentHeading}</Heading>
        {leftoverGroups(snapshot).length === 0 ? <FreedThisWeek /> : null}
      </div>
      <ul className={lists.rows}>
        {shown.map((incident) => (
          <li key={incident.id}>
            <button
              type="button"
              className={styles.row}
              onClick={() => open({ window: 'history', incident: incident.id })}
            >
              <IncidentLine incident={incident} styles={styles} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
};
