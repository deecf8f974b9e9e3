/**
 * Returns a function that makes a value when it is first called and returns that one ever after.
 * For what a run may not need at all: making the schemas of every file that Curfew knows took 13 ms
 * of each start (Node 24.21, x86-64). Tries again at the next call what `make` threw at.
 */
export const once = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
};
