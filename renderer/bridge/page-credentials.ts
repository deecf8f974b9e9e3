/** Where the page keeps its key: in the storage of its origin, which, unlike a cookie, no other port of this machine sees. */
const storageName = 'curfew-key';

const passInHash = /^#\/enter\/(?<pass>[A-Za-z0-9_-]+)$/u;

/**
 * Takes the pass out of the address and out of the address bar, so that it stays in no history; null when there is none. It stands behind
 * the `#`, so that no server and no Referer ever saw it.
 */
export const takePass = (): string | null => {
  const pass = passInHash.exec(window.location.hash)?.groups?.['pass'];
  if (pass === undefined) return null;
  window.history.replaceState(null, '', `${window.location.pathname}#/popover`);
  return pass;
};

/** The key of this browser; null when it isn't signed in, or keeps nothing (then a page lasts until it is loaded again). */
export const storedKey = (): string | null => {
  try {
    return window.localStorage.getItem(storageName);
  } catch {
    return null;
  }
};

/** Keeps the key for other tabs, and for when this one is loaded again. */
export const storeKey = (key: string): void => {
  try {
    window.localStorage.setItem(storageName, key);
  } catch {
    // Storage is switched off: this page holds the key itself, and works until it is closed.
  }
};

/** Calls when another tab of this browser was signed in. */
export const onOtherTabsKey = (listener: (key: string) => void): void => {
  window.addEventListener('storage', (event) => {
    if (event.key === storageName && event.newValue !== null) listener(event.newValue);
  });
};
