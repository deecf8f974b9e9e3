import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
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
  | { readonly view: 'ports'; readonly port: string | null }
  | { readonly view: 'files' }
  | { readonly view: 'example' }
  | { readonly view: 'welcome' };

/** Parses `#/settings/limits` and the like; anything else is the popover. */
const readRoute = (hash: string): Route => {
  const [view, rest] = placeIn(hash).replace(/^#\/?/u, '').split('/', 2);
  const detail = rest === undefined || rest === '' ? null : safeDecode(rest);
  switch (view) {
    case 'settings':
      return { view, section: detail };
    case 'history':
      return { view, incident: detail };
    case 'ports':
      return { view, port: detail };
    case 'sessions':
    case 'files':
    case 'example':
    case 'welcome':
      return { view };
    default:
      return { view: 'popover', job: detail };
  }
};

/** What stands before the `?`. */
const placeIn = (hash: string): string => hash.split('?', 1)[0] ?? '';

/** What the address says of how the place is shown, with its `?`; empty for nothing. */
export const askedInAddress = (): string => window.location.hash.slice(placeIn(window.location.hash).length);

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
  return () => window.removeEventListener('hashchange', listener);
};

/** Returns the place of this window. */
export const useRoute = (): Route => readRoute(useSyncExternalStore(subscribe, () => window.location.hash));

/**
 * Returns how a view is shown, as the address says it, and a function that changes both: a reload,
 * a bookmark and a link show the same. The address changes without a step in the browser's history.
 */
export const useAddressed = <Shown>(
  read: (asked: URLSearchParams) => Shown,
  write: (shown: Shown) => URLSearchParams,
): readonly [Shown, (shown: Shown) => void] => {
  const [shown, setShown] = useState(() => read(new URLSearchParams(askedInAddress())));
  useEffect(() => subscribe(() => setShown(read(new URLSearchParams(askedInAddress())))), [read]);
  const change = useCallback(
    (next: Shown) => {
      const asked = write(next).toString();
      const place = placeIn(window.location.hash);
      window.history.replaceState(null, '', `${place === '' ? '#/' : place}${asked === '' ? '' : `?${asked}`}`);
      setShown(next);
    },
    [write],
  );
  return [shown, change];
};

/** Opens a place: by address in a browser, on a desktop by asking for the window. */
export const useOpen = (): ((place: Place) => void) => {
  const bridge = useBridge();
  const { surface } = useSnapshot().platform;
  return useCallback(
    (place) => {
      // Another place of the same view is shown as this one is.
      const asked = readRoute(window.location.hash).view === place.window ? askedInAddress() : '';
      if (surface === 'page') window.location.hash = `${hashOf(place)}${asked}`;
      else void bridge.ask('app.open', { place });
    },
    [bridge, surface],
  );
};
