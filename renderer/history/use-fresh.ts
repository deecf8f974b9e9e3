import { useCallback, useEffect, useState, type RefObject } from 'react';
import { useSnapshot } from '../state/store-context.ts';
import { useNow } from '../state/clock.ts';

/** The end of what the history shows, and what came after it. */
export interface Fresh {
  /** Engine's wall clock, milliseconds. */
  readonly untilMs: number;
  /** Incidents that are not shown yet. */
  readonly count: number;
  readonly show: () => void;
}

/** True while the list is at its top, without the pointer or the focus. */
const isIdle = (list: HTMLElement | null): boolean =>
  list === null || (list.scrollTop < 8 && !list.matches(':hover') && !list.contains(document.activeElement));

/**
 * Keeps the history up to date: what is new appears at once, unless the user is at the list. Then
 * the rows hold still and the new ones are counted.
 */
export const useFresh = (list: RefObject<HTMLElement | null>): Fresh => {
  const { incidents } = useSnapshot();
  const now = useNow();
  const stamp = incidents.map(({ id, outcome }) => `${id} ${outcome}`).join(',');
  const ids = incidents.map(({ id }) => id).join(',');
  const [shown, setShown] = useState(() => ({ untilMs: now() + 1, stamp, ids }));
  const show = useCallback(() => setShown({ untilMs: now() + 1, stamp, ids }), [ids, now, stamp]);
  useEffect(() => {
    if (shown.stamp !== stamp && isIdle(list.current)) show();
  }, [list, show, shown.stamp, stamp]);
  const known = new Set(shown.ids.split(','));
  const count = incidents.filter(({ id }) => !known.has(id)).length;
  return { untilMs: shown.untilMs, count, show };
};
