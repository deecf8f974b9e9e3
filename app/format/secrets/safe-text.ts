declare const safe: unique symbol;

/**
 * Text whose secrets are hidden: what `redactCommand` and `redactArguments` return. Jobs, records,
 * the ledger and views take no other text of a command, so that no new output can forget it.
 */
export type SafeText = string & { readonly [safe]: true };

/** The same with texts as they were found: what a view or a record is made from. */
export type Found<Shown> = Shown extends SafeText
  ? string
  : Shown extends string | number | boolean | null | undefined
    ? Shown
    : { readonly [Name in keyof Shown]: Found<Shown[Name]> };

/** Returns the first units of such a text: without its secrets it can be cut anywhere. */
export const startOf = (text: SafeText, length: number): SafeText => text.slice(0, length).toWellFormed() as SafeText;
