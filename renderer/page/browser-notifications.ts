import type { Notice } from '../../app/notices/notice.ts';
import { hashOf } from '../state/route.ts';

/** Whether a page may show notifications; `missing` if the browser has none for pages. */
export type PagePermissionState = NotificationPermission | 'missing';

/** Returns the browser's current permission. */
export const pagePermission = (): PagePermissionState =>
  'Notification' in window ? Notification.permission : 'missing';

/**
 * The browser's notifications (https://developer.mozilla.org/docs/Web/API/Notification), for which
 * 127.0.0.1 counts as secure. Without a service worker they have no buttons; a click leads to the
 * job's card. Two open tabs use the same tag, which the browser shows once. Chromium itself escapes
 * markup in a body for systems that would interpret it
 * (chrome/browser/notifications/notification_platform_bridge_linux.cc).
 */
export class BrowserNotifications {
  readonly #shown = new Map<Notification, Notice>();

  show(notice: Notice): void {
    if (pagePermission() !== 'granted') return;
    const address = hashOf(notice.place);
    const shown = new Notification(notice.title, {
      body: notice.body,
      silent: notice.quiet,
      tag: [address, ...notice.jobs, notice.title].join(' '),
    });
    this.#shown.set(shown, notice);
    shown.addEventListener('click', () => {
      window.focus();
      window.location.hash = address;
      shown.close();
    });
    shown.addEventListener('close', () => this.#shown.delete(shown));
  }

  /** Removes notifications about none of these jobs. */
  keep(needing: ReadonlySet<string>): void {
    for (const [shown, { jobs }] of this.#shown)
      if (jobs.length > 0 && !jobs.some((job) => needing.has(job))) {
        this.#shown.delete(shown);
        shown.close();
      }
  }
}
