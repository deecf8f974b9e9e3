/**
 * Returns a function that creates an expensive value on first use and then keeps it. Creating the
 * Intl objects of all formats took a fifth of the time in which the popover opens, and it needs few
 * of them.
 */
export const madeOnce = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};
