/**
 * The name of a run: in its folder's name, in the cookie of its processes and on the command line.
 */
export type RunId = string & { readonly __brand: 'RunId' };

/** What an id looks like; nothing else is ever taken for part of a path. */
export const runIdPattern = /^[2-9a-km-np-z]{10}$/u;

/** Marks a text that fits `runIdPattern`. */
export const asRunId = (text: string): RunId => text as RunId;

/** The variable that everything a run starts carries in its environment. */
export const cookieName = 'CURFEW_RUN';
