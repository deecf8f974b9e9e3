import type { ReactElement } from 'react';
import { Button } from '../parts/input/button.tsx';
import { useOpen } from '../state/route.ts';
import { useClaims } from '../state/use-claims.ts';
import { useLanguage } from '../texts/texts-context.ts';
import styles from './foot.module.css';

/** Links to the other windows, and the mode. */
export const Foot = (): ReactElement => {
  const { texts } = useLanguage();
  const { watch } = useClaims();
  const open = useOpen();
  const modeWord = texts.popover.doing[watch];
  return (
    <footer className={styles.foot}>
      <nav className={styles.windows} aria-label={texts.popover.navigation}>
        <Button size="small" look="plain" onClick={() => open({ window: 'sessions' })}>
          {texts.sessions.title}
        </Button>
        <Button size="small" look="plain" onClick={() => open({ window: 'history', incident: null })}>
          {texts.history.title}
        </Button>
        <Button size="small" look="plain" onClick={() => open({ window: 'settings', section: null })}>
          {texts.settings.title}
        </Button>
      </nav>
      <Button
        size="small"
        look="plain"
        aria-label={texts.popover.modeButton(modeWord)}
        onClick={() => open({ window: 'settings', section: 'general' })}
      >
        {modeWord}
      </Button>
    </footer>
  );
};
