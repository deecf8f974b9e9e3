import type { ReactElement } from 'react';
import { hashOf } from '../state/route.ts';
import { useSnapshot } from '../state/store-context.ts';
import { useLanguage } from '../texts/texts-context.ts';
import styles from './window-nav.module.css';

/** In a browser tab, where there are no windows: the way between the views. On a desktop nothing. */
export const WindowNav = ({ current }: { readonly current: 'settings' | 'history' }): ReactElement | null => {
  const { texts } = useLanguage();
  const { surface } = useSnapshot().platform;
  if (surface !== 'page') return null;
  const links = [
    { name: 'popover', label: texts.popover.title, href: hashOf({ window: 'popover', job: null }) },
    { name: 'history', label: texts.popover.history, href: hashOf({ window: 'history', incident: null }) },
    { name: 'settings', label: texts.popover.settings, href: hashOf({ window: 'settings', section: null }) },
  ];
  return (
    <nav className={styles.nav} aria-label={texts.popover.navigation}>
      {links.map(({ name, label, href }) => (
        <a key={name} className={styles.link} href={href} {...(name === current ? { 'aria-current': 'page' } : {})}>
          {label}
        </a>
      ))}
    </nav>
  );
};
