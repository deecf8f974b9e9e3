import { useCallback, useSyncExternalStore } from 'react';
import type { Place } from '../../app/contract/app-questions.ts';
import { detailOf, placeHash } from '../../app/contract/place-hash.ts';
import { useBridge } from './bridge-context.ts';
import { useSnapshot } from './store-context.ts';

/** Meaning of the address after `#`. */
export type Route =
  | { readonly view: 'popover'; readonly job: string | null }
  | { readonly view: 'settings'; readonly section: string | null }
  | { readonly view: 'history'; readonly incident: string | null }
  | { readonly view: 'sessions' }
  | { readonly view: 'welcome' };

/** Parses `#/settings/limits` and the like; anything else is the popover. */
const readRoute = (hash: string): Route => {
  const [view, rest] = hash.replace(/^#\/?/u, '').split('/', 2);
  const detail = rest === undefined || rest === '' ? null : safeDecode(rest);
  switch (view) {
    case 'settings':
      return { view, section: detail };
    case 'history':
      return { view, incident: detail };
    case 'sessions':
    case 'welcome':
      return { view };
    default:
      return { view: 'popover', job: detail };
  }
};

const safeDecode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray per cent sign in a typed address: it names nothing.
    return text;
  }
};

/** Returns the address of a place. */
export const hashOf = (place: Place): string => placeHash(place.window, detailOf(place));

const subscribe = (listener: () => void): (() => void) => {
  window.addEventListener('hashchange', listener);
  return () => {
    window.removeEventListener('hashchange', listener);
  };
};

/** Returns the place of this window. */
export const useRoute = (): Route => readRoute(useSyncExternalStore(subscribe, () => window.location.hash));

/** Opens a place: by address in a browser, on a desktop by asking for the window. */
export const useOpen = (): ((place: Place) => void) => {
  const bridge = useBridge();
  const { surface } = useSnapshot().platform;
  return useCallback(
    (place) => {
      if (surface === 'page') window.location.hash = hashOf(place);
      else void bridge.ask('app.open', { place });
    },
    [bridge, surface],
  );
};
