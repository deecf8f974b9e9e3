/**
 * Ends that are begun at one look. A mistake in a rule or a registry must not sweep a machine empty
 * at once; on another machine a look costs more, so there are fewer.
 */
const maxEnds = { here: 500, elsewhere: 50 } as const;

/**
 * Returns the first of what one look found due, at most as many as may be ended at it. Every loop
 * that ends jobs by rule goes through this; the rest is due at the next look.
 */
export const endsOfOneLook = <One>(due: readonly One[], where: keyof typeof maxEnds): readonly One[] =>
  due.slice(0, maxEnds[where]);
