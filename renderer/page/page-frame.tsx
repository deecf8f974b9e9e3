import { useEffect, useRef, type ReactElement, type ReactNode } from 'react';
import { ConnectionNotice } from '../parts/message/connection-notice.tsx';
import { Icon } from '../parts/display/icon.tsx';
import { useBridge } from '../state/bridge-context.ts';
import { hashOf, type Route } from '../state/route.ts';
import { useStore } from '../state/store-context.ts';
import { useClaims } from '../state/use-claims.ts';
import { useLanguage } from '../texts/texts-context.ts';
import { announceOnPage } from './announce-on-page.ts';
import styles from './page-frame.module.css';

interface PageFrameProps {
  readonly current: Route['view'];
  readonly children: ReactNode;
}

/** Frame of a browser tab: navigation between views, the mode, and the connection state. */
export const PageFrame = ({ current, children }: PageFrameProps): ReactElement => {
  const { texts, voice } = useLanguage();
  // Notifications go on in the language of now; what was announced is not announced again.
  const spoken = useRef(voice);
  useEffect(() => {
    spoken.current = voice;
  }, [voice]);
  const { watch } = useClaims();
  const store = useStore();
  const bridge = useBridge();
  useEffect(
    () =>
      announceOnPage(
        store,
        (name, input) => bridge.ask(name, input),
        () => spoken.current,
      ),
    [bridge, store],
  );
  const links = [
    { view: 'popover', label: texts.popover.title, href: hashOf({ window: 'popover', job: null }) },
    { view: 'sessions', label: texts.sessions.title, href: hashOf({ window: 'sessions' }) },
    { view: 'ports', label: texts.ports.title, href: hashOf({ window: 'ports', port: null }) },
    { view: 'files', label: texts.files.title, href: hashOf({ window: 'files' }) },
    { view: 'history', label: texts.history.title, href: hashOf({ window: 'history', incident: null }) },
    { view: 'settings', label: texts.settings.title, href: hashOf({ window: 'settings', section: null }) },
  ] as const;
  const modeWord = texts.popover.doing[watch];
  return (
    <div className={styles.frame}>
      <nav className={styles.bar} aria-label={texts.popover.navigation}>
        <span className={styles.product}>
          <Icon name="moon" />
          {texts.common.product}
        </span>
        <div className={styles.links}>
          {links.map(({ view, label, href }) => (
            <a key={view} className={styles.link} href={href} {...(view === current ? { 'aria-current': 'page' } : {})}>
              {label}
            </a>
          ))}
        </div>
        <a
          className={styles.mode}
          data-watch={watch}
          href={hashOf({ window: 'settings', section: 'general' })}
          aria-label={texts.popover.modeButton(modeWord)}
        >
          {modeWord}
        </a>
      </nav>
      <div className={styles.notice}>
        <ConnectionNotice />
      </div>
      <div className={styles.view}>{children}</div>
    </div>
  );
};
