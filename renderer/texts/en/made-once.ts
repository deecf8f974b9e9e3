/**
 * What is dear to make, made when it is first used and never again. Making the Intl objects of all formats took a fifth of the time in which
 * the popover opens, and it needs few of them.
 */
export const madeOnce = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};
