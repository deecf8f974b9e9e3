import type { ReactElement } from 'react';
import { holdingsOf, leftoverGroups, probableLeftovers } from '../../../app/contract/claims/leftovers.ts';
import { useFrozen } from '../../state/use-frozen.ts';
import { useSnapshot } from '../../state/store-context.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { FreedThisWeek } from './freed-this-week.tsx';
import { EndLeftovers } from './end-leftovers.tsx';
import { holdingsWords, summaryOf } from './holdings-words.ts';
import styles from './leftovers.module.css';

interface LeftoversBarProps {
  /** The user is at the cards below: the bar neither comes nor goes. */
  readonly held: boolean;
}

/** What leftovers hold now, and the end of all of them. Empty without any. */
export const LeftoversBar = ({ held }: LeftoversBarProps): ReactElement | null => {
  const language = useLanguage();
  const { texts, format, voice } = language;
  const snapshot = useSnapshot();
  const words = texts.popover.leftovers;
  const jobs = leftoverGroups(snapshot).flatMap((group) => group.jobs);
  const probable = probableLeftovers(snapshot);
  const together = [...jobs, ...probable];
  const shown = useFrozen(together.length > 0, held);
  if (!shown) return null;
  const holdings = holdingsOf(together);
  return (
    <div className={styles.bar} data-empty={together.length === 0}>
      <div className={styles.total}>
        <p title={holdingsWords(holdings, language)}>
          {voice.desktop.tray.holds(together.length, summaryOf(holdings, language))}
        </p>
        {probable.length === 0 ? null : <p className={styles.quiet}>{words.kinds(jobs.length, probable.length)}</p>}
        <FreedThisWeek />
      </div>
      {together.length < 2 || !snapshot.platform.canReap ? null : (
        <EndLeftovers
          act="end-all"
          jobs={together}
          label={words.endAll}
          name={words.endAllName(together.length, format.bytes(holdings.rssBytes))}
        />
      )}
    </div>
  );
};
