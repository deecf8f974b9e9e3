import type { Snapshot } from '../../app/contract/views/snapshot.ts';
import type { SnapshotStore } from '../state/snapshot-store.ts';
import { BrowserNotifications } from './browser-notifications.ts';
import { PageNotices } from '../../app/notices/page-notices.ts';

/** The person sees the page, and with it all that there is to say. */
const isLookedAt = (): boolean => document.visibilityState === 'visible' && document.hasFocus();

/**
 * As long as this page is open: tells through the browser, when it was allowed to, what the person isn't looking at. Gives the
 * function that ends it.
 */
export const announceOnPage = (store: SnapshotStore): (() => void) => {
  const found = new PageNotices();
  const browser = new BrowserNotifications();
  let latest: Snapshot | null = null;
  const hear = (): void => {
    const { snapshot } = store.get();
    if (snapshot === null || snapshot === latest) return;
    latest = snapshot;
    const { notices, needing } = found.follow(snapshot);
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
