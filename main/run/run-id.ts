import { randomBytes } from 'node:crypto';

/** The name of a run: in its folder's name, in the cookie of its processes and on the command line. */
export type RunId = string & { readonly __brand: 'RunId' };

/** Without letters and digits that look alike. 32 of them, so that five bits of a byte give one without favouring any. */
const alphabet = '23456789abcdefghijkmnpqrstuvwxyz';
const length = 10;

/** What an id looks like; nothing else is ever taken for part of a path. */
export const runIdPattern = /^[2-9a-km-np-z]{10}$/u;

/** Marks a text that fits `runIdPattern`. */
export const asRunId = (text: string): RunId => text as RunId;

/** A new id: 50 random bits. */
export const newRunId = (): RunId =>
  asRunId([...randomBytes(length)].map((byte) => alphabet[byte % alphabet.length]).join(''));

/** The variable that everything a run starts carries in its environment. */
export const cookieName = 'CURFEW_RUN';
