/** The key is in the origin's storage: unlike a cookie, other ports here can't read it. */
const storageName = 'curfew-key';

const passInHash = /^#\/enter\/(?<pass>[A-Za-z0-9_-]+)(?<place>\/example)?$/u;

/**
 * Takes the login token out of the address bar, so that it stays in no history; null if there is
 * none. It is in the part after `#`, which reaches no server and no Referer.
 */
export const takePass = (): string | null => {
  const { pass, place } = passInHash.exec(window.location.hash)?.groups ?? {};
  if (pass === undefined) return null;
  window.history.replaceState(null, '', `${window.location.pathname}#${place ?? '/popover'}`);
  return pass;
};

/** Returns this browser's key; null if not signed in or without storage (then until reload). */
export const storedKey = (): string | null => {
  try {
    return window.localStorage.getItem(storageName);
  } catch {
    return null;
  }
};

/** Stores the key for other tabs and for reloads. */
export const storeKey = (key: string): void => {
  try {
    window.localStorage.setItem(storageName, key);
  } catch {
    // Storage is switched off: this page holds the key itself and works until it is closed.
  }
};

/** Calls back when another tab of this browser signs in. */
export const onOtherTabsKey = (listener: (key: string) => void): void =>
  window.addEventListener('storage', (event) => {
    if (event.key === storageName && event.newValue !== null) listener(event.newValue);
  });
