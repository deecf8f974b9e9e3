import { useSyncExternalStore } from 'react';

/** The width from which a page shows more than a popover does; as in the style sheets. */
const wide = '(min-width: 60rem)';

const subscribe = (listener: () => void): (() => void) => {
  const query = window.matchMedia(wide);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
};

/** Returns whether the window is wide enough for a table. */
export const useWide = (): boolean => useSyncExternalStore(subscribe, () => window.matchMedia(wide).matches);
