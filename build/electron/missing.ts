// What Curfew uses of JavaScript and V8 of early 2023 (Electron 25) lacks: for the variant of the
// desktop app that a test runs there, in its main process and in its pages.

/** Gives an object what it lacks. */
export const fill = (owner: object, name: string, value: unknown): void => {
  if (!(name in owner)) Object.defineProperty(owner, name, { value, configurable: true, writable: true });
};

fill(Map, 'groupBy', <Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> => {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
});

fill(Promise, 'withResolvers', () => {
  let settle: readonly unknown[] = [];
  const promise = new Promise((...both) => (settle = both));
  const [resolve, reject] = settle;
  return { promise, resolve, reject };
});

fill(URL, 'parse', (text: string, base?: string): URL | null => {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
});

fill(AbortSignal, 'any', (signals: Iterable<AbortSignal>): AbortSignal => {
  const all = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) all.abort(signal.reason);
    signal.addEventListener('abort', () => all.abort(signal.reason), { once: true });
  }
  return all.signal;
});
