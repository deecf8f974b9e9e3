import type { Snapshot } from '../../app/contract/views/snapshot.ts';
import type { Voice } from '../../app/text/voice.ts';
import type { SnapshotStore } from '../state/snapshot-store.ts';
import { BrowserNotifications, pagePermission } from './browser-notifications.ts';
import type { Bridge } from '../../app/contract/bridge.ts';
import { PageNotices } from '../../app/notices/noticed.ts';
import { WeekNotices } from '../../app/notices/week.ts';

/** The user sees the page and everything on it. */
const isLookedAt = (): boolean => document.visibilityState === 'visible' && document.hasFocus();

/**
 * Shows browser notifications, if allowed, of what the user isn't looking at, while this page is
 * open. Returns the function that stops it.
 */
export const announceOnPage = (store: SnapshotStore, ask: Bridge['ask'], voice: () => Voice): (() => void) => {
  const found = new PageNotices();
  const weeks = new WeekNotices(ask);
  const browser = new BrowserNotifications();
  let latest: Snapshot | null = null;
  const hear = (): void => {
    const { snapshot } = store.get();
    if (snapshot === null || snapshot === latest) return;
    latest = snapshot;
    const { notices, needing } = found.follow(snapshot, voice());
    browser.keep(needing);
    if (isLookedAt()) return;
    for (const notice of notices) browser.show(notice);
    // Where it can't be shown it is left to another browser.
    if (pagePermission() === 'granted')
      void weeks.follow(snapshot, voice).then((notice) => {
        if (notice !== null) browser.show(notice);
      });
  };
  hear();
  const unsubscribe = store.subscribe(hear);
  return () => {
    unsubscribe();
    browser.keep(new Set());
  };
};
