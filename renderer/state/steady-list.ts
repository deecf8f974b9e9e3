import { useState } from 'react';

/** An item of a list that holds still; `gone` once it left the source. */
export interface Steady<Item> {
  readonly item: Item;
  readonly gone: boolean;
}

/**
 * Returns the next list to show. While it is `held` (it contains the pointer or the focus) nothing
 * moves: known items keep their places, new ones come last, and removed ones stay, marked. A button
 * that slides away under the pointer ends the wrong job. `elsewhere` finds items that left the list
 * but still exist.
 */
export const steadyList = <Item extends { readonly id: string }>(
  shown: readonly Steady<Item>[],
  next: readonly Item[],
  held: boolean,
  elsewhere: (id: string) => Item | undefined = () => undefined,
): readonly Steady<Item>[] => {
  if (!held) return next.map((item) => ({ item, gone: false }));
  const byId = new Map(next.map((item) => [item.id, item]));
  const kept = shown.map((entry): Steady<Item> => {
    const item = byId.get(entry.item.id) ?? elsewhere(entry.item.id);
    if (item === undefined) return entry.gone ? entry : { item: entry.item, gone: true };
    return item === entry.item && !entry.gone ? entry : { item, gone: false };
  });
  const known = new Set(shown.map((entry) => entry.item.id));
  const added = next.filter((item) => !known.has(item.id)).map((item) => ({ item, gone: false }));
  return [...kept, ...added];
};

/** `steadyList` for a component. Pass the same objects while nothing changed. */
export const useSteadyList = <Item extends { readonly id: string }>(
  next: readonly Item[],
  held: boolean,
  elsewhere: (id: string) => Item | undefined,
): readonly Steady<Item>[] => {
  const [before, setBefore] = useState({ next, held, shown: steadyList<Item>([], next, false) });
  if (before.next === next && before.held === held) return before.shown;
  const shown = steadyList(before.shown, next, held, elsewhere);
  // Set during rendering, as React provides for state derived from previous renders:
  // https://react.dev/reference/react/useState#storing-information-from-previous-renders
  setBefore({ next, held, shown });
  return shown;
};
