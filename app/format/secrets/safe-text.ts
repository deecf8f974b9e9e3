declare const safe: unique symbol;

/**
 * Text whose secrets are hidden: what `redactCommand` and `redactArguments` return. Jobs, records,
 * the ledger and views take no other text of a command, so that no new output can forget it.
 */
export type SafeText = string & { readonly [safe]: true };

/** Returns the first units of such a text: without its secrets it can be cut anywhere. */
export const startOf = (text: SafeText, length: number): SafeText => text.slice(0, length).toWellFormed() as SafeText;
