interface Kept<Key, Value> {
  readonly get: (key: Key) => Value | undefined;
  readonly set: (key: Key, value: Value) => unknown;
}

/** Returns what is kept under a key; where nothing is, it is made and kept. */
export const kept = <Key, Value>(all: Kept<Key, Value>, key: Key, make: (key: Key) => Value): Value => {
  const known = all.get(key);
  if (known !== undefined) return known;
  const made = make(key);
  all.set(key, made);
  return made;
};
