import type { ReactElement } from 'react';
import { useSnapshot } from '../../state/store-context.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import styles from './leftovers.module.css';

/** What endings of the last seven days freed, or since when that is counted. Empty for nothing. */
export const FreedThisWeek = (): ReactElement | null => {
  const { voice, format } = useLanguage();
  const { processes, rssBytes, since } = useSnapshot().freedThisWeek;
  if (processes === 0) return null;
  return (
    <p className={styles.quiet}>
      {voice.desktop.tray.freed(
        processes,
        format.bytes(rssBytes),
        since === null ? null : format.day(Date.parse(since)),
      )}
    </p>
  );
};
