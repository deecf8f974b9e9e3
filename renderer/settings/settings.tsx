import { Tabs } from '@base-ui/react/tabs';
import type { ReactElement } from 'react';
import { Notice } from '../parts/display/notice.tsx';
import { useSnapshot } from '../state/store-context.ts';
import { useLanguage } from '../texts/texts-context.ts';
import { About } from './about.tsx';
import { Agents } from './agents/agents.tsx';
import { General } from './general.tsx';
import { Hosts } from './hosts.tsx';
import { hasEdits, useLimitEdits } from './limits/limit-edits.ts';
import { Limits } from './limits/limits.tsx';
import { Notifications } from './notifications.tsx';
import { Privacy } from './privacy.tsx';
import { Rules } from './rules/rules.tsx';
import styles from './settings.module.css';

const panels = {
  general: General,
  limits: Limits,
  agents: Agents,
  rules: Rules,
  hosts: Hosts,
  notifications: Notifications,
  privacy: Privacy,
  about: About,
} as const;

type SectionName = keyof typeof panels;

const names = Object.keys(panels) as readonly SectionName[];

const isSection = (name: string | null): name is SectionName => name !== null && Object.hasOwn(panels, name);

/** The settings window: sections on the left, the chosen one on the right. */
export const Settings = ({ section }: { readonly section: string | null }): ReactElement => {
  const { texts, voice } = useLanguage();
  const { notices } = useSnapshot().settings;
  const unsaved = hasEdits(useLimitEdits());
  const shown = isSection(section) ? section : 'general';
  return (
    <div className={styles.window}>
      <Tabs.Root
        className={styles.tabs}
        orientation="vertical"
        value={shown}
        onValueChange={(name: SectionName) => window.location.replace(`#/settings/${name}`)}
      >
        <nav className={styles.side} aria-label={texts.settings.navigation}>
          <Tabs.List className={styles.list} aria-label={texts.settings.navigation} activateOnFocus>
            {names.map((name) => (
              <Tabs.Tab key={name} value={name} className={styles.tab}>
                {texts.settings.sections[name]}
                {name === 'limits' && unsaved ? (
                  <span className={styles.unsaved} title={texts.settings.unsaved}>
                    <span className="visually-hidden">{texts.settings.unsaved}</span>
                  </span>
                ) : null}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </nav>
        <main className={styles.main}>
          <h1 className={styles.title}>{texts.settings.sections[shown]}</h1>
          {notices.length === 0 ? null : (
            <Notice tone="amber" icon="alert">
              <p>{texts.settings.noticeTitle}</p>
              {notices.map((notice) => (
                <p key={voice.said(notice.text)}>{voice.said(notice.text)}</p>
              ))}
            </Notice>
          )}
          {names.map((name) => {
            const Panel = panels[name];
            return (
              <Tabs.Panel key={name} value={name} className={styles.panel}>
                <Panel />
              </Tabs.Panel>
            );
          })}
        </main>
      </Tabs.Root>
    </div>
  );
};
