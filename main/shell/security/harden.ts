import type { Session, WebContents } from 'electron';
import { appScheme, isOwnUrl } from './policy.ts';

/**
 * The scheme's privileges, to be registered before `ready`
 * (https://www.electronjs.org/docs/latest/api/protocol): an origin of its own, treated as secure.
 * No bypassing of the policy, no service worker, no fetch, no cross-origin requests.
 */
export const schemePrivileges: Electron.CustomScheme = {
  scheme: appScheme,
  privileges: { standard: true, secure: true },
};

/**
 * Refuses every permission, requested or queried, every device, every screen capture and every
 * download: no page of ours needs one. Certificates and passwords are never requested, since no
 * request leaves the app (`denyRemote`). Point 5 of
 * https://www.electronjs.org/docs/latest/tutorial/security.
 */
export const denyPermissions = (session: Session): void => {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, answer) => answer({}));
  session.on('will-download', (event) => event.preventDefault());
};

/**
 * Blocks every request but those for our own files: remote content is never ours. Points 1 and 18
 * of the same list. `blob:` and `data:` are refused too; `devtools:` is Electron's own.
 */
export const denyRemote = (session: Session): void =>
  session.webRequest.onBeforeRequest((details, answer) => {
    const scheme = URL.parse(details.url)?.protocol;
    answer({ cancel: !isOwnUrl(details.url) && scheme !== 'devtools:' });
  });

/**
 * Confines a page: no navigation, no redirect, no frame, no window of its own, no webview.
 * `openExternal` gets an address that a page wanted to open in a window. Points 11 to 14 of the
 * same list; call it for every `web-contents-created`.
 */
export const confine = (contents: WebContents, openExternal: (url: string) => void): void => {
  contents.on('will-navigate', (event) => event.preventDefault());
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-frame-navigate', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    openExternal(url);
    return { action: 'deny' };
  });
};
