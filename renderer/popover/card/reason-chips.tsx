import { useCallback, type ReactElement } from 'react';
import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { visibleText } from '../../parts/text/visible-characters.ts';
import { useClock } from '../../state/clock.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { chipsOf } from './chips-of.ts';
import styles from './reason-chips.module.css';

/** Interval in ms at which ages in the reasons are counted. */
const stepMs = 15_000;

/** The short reasons of a card, in one line; all of them are under More. */
export const ReasonChips = ({ job }: { readonly job: SnapshotJob }): ReactElement => {
  const language = useLanguage();
  const nowMs = useClock(useCallback((now: number) => Math.floor(now / stepMs) * stepMs, []));
  return (
    <ul className={styles.reasons} aria-label={language.texts.popover.details.evidence}>
      {chipsOf({ job, nowMs, language }).map(({ key, tone, text, title }) => (
        <li key={key} data-tone={tone} title={visibleText(title ?? text)}>
          {visibleText(text)}
        </li>
      ))}
    </ul>
  );
};
