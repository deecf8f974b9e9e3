import type { Place } from './app-questions.ts';

/** Returns what of its window a place names; null: the window itself. */
export const detailOf = (place: Place): string | null => {
  switch (place.window) {
    case 'popover':
      return place.job;
    case 'settings':
      return place.section;
    case 'history':
      return place.incident;
    case 'files':
    case 'sessions':
      return null;
    case 'ports':
      return place.port;
  }
};

/** Returns the fragment of an address that opens a window, as renderer/state/route.ts reads it. */
export const placeHash = (window: Place['window'] | 'welcome', detail: string | null): string =>
  `#/${window}${detail === null ? '' : `/${encodeURIComponent(detail)}`}`;
