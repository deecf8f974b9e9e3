import { useState } from 'react';

/** An item of a list that holds still; `gone` once the source no longer has it. */
export interface Steady<Item> {
  readonly item: Item;
  readonly gone: boolean;
}

/**
 * The list as it may be shown next. While it is `held` (the pointer or the focus is in it) nothing moves: known items keep their
 * places, new ones come last, and what has gone stays as a mark. A button that slides away under a finger ends the wrong job.
 * `elsewhere` finds what has left the list but not the world.
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

/** `steadyList` for a component. Give it the same `next` and `elsewhere` as long as nothing changed. */
export const useSteadyList = <Item extends { readonly id: string }>(
  next: readonly Item[],
  held: boolean,
  elsewhere: (id: string) => Item | undefined,
): readonly Steady<Item>[] => {
  const [before, setBefore] = useState({ next, held, shown: steadyList<Item>([], next, false) });
  if (before.next === next && before.held === held) return before.shown;
  const shown = steadyList(before.shown, next, held, elsewhere);
  // Set while drawing, as React provides for state that follows from what came before: https://react.dev/reference/react/useState#storing-information-from-previous-renders
  setBefore({ next, held, shown });
  return shown;
};
