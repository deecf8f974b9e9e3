import { Notification } from 'electron';

/**
 * The class by which Windows calls the app when a notification is used
 * (https://www.electronjs.org/docs/latest/api/app#appsettoastactivatorclsidid-windows). Never to be
 * changed; the uninstaller names it too (build/package/uninstall.nsh).
 */
export const toastActivator = '{6E0D9A1C-5B7F-4D5E-9E0B-2F6C1A7D4B83}';

/** A notification of this start answers within this time in ms, before or after. */
const ownAnswerMs = 500;

/** What `followActivations` needs. */
export interface Activations {
  readonly platform: NodeJS.Platform;
  /** When a notification of this start was last used (`performance.now()`), or never. */
  readonly answeredMs: () => number;
  /** Opens the popover. */
  readonly open: () => void;
}

/**
 * Opens the popover when a notification is used that an earlier start of the app left in Windows'
 * Action Center. Its buttons do nothing more: what it was about may have changed since, and a press
 * on an old "End" must not end what is there now. Those of this start answer by themselves, and
 * Windows reports them here too.
 */
export const followActivations = ({ platform, answeredMs, open }: Activations): void => {
  if (platform !== 'win32') return;
  Notification.handleActivation(() => {
    const calledMs = performance.now();
    setTimeout(() => {
      if (answeredMs() < calledMs - ownAnswerMs) open();
    }, ownAnswerMs);
  });
};
