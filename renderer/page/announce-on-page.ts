import type { Snapshot } from '../../app/contract/views/snapshot.ts';
import type { Voice } from '../../app/text/voice.ts';
import type { SnapshotStore } from '../state/snapshot-store.ts';
import { BrowserNotifications } from './browser-notifications.ts';
import { PageNotices } from '../../app/notices/page-notices.ts';

/** The user sees the page and everything on it. */
const isLookedAt = (): boolean => document.visibilityState === 'visible' && document.hasFocus();

/**
 * Shows browser notifications, if allowed, about what the user isn't looking at, while this page is
 * open. Returns the function that stops it.
 */
export const announceOnPage = (store: SnapshotStore, voice: () => Voice): (() => void) => {
  const found = new PageNotices();
  const browser = new BrowserNotifications();
  let latest: Snapshot | null = null;
  const hear = (): void => {
    const { snapshot } = store.get();
    if (snapshot === null || snapshot === latest) return;
    latest = snapshot;
    const { notices, needing } = found.follow(snapshot, voice());
    browser.keep(needing);
    if (!isLookedAt()) for (const notice of notices) browser.show(notice);
  };
  hear();
  const unsubscribe = store.subscribe(hear);
  return () => {
    unsubscribe();
    browser.keep(new Set());
  };
};
