import { baseName } from '../paths/path.ts';

export interface UserChoice {
  /** Only these, also root and others below `minUid`; empty: every user. */
  readonly names: readonly string[];
  /** Accounts below belong to the system (UID_MIN of login.defs(5) is 1000). */
  readonly minUid: number;
}

/** Programs in the place of a login shell of accounts that no user logs in to. */
const noShells: ReadonlySet<string> = new Set(['nologin', 'false', 'true', 'sync', 'halt', 'shutdown']);

/** Homes of accounts that have none. `/` belongs to the system. */
const noHomes: ReadonlySet<string> = new Set(['', '/', '/nonexistent', '/dev/null']);

/**
 * Returns whether a user of this account is supervised: a user with a login shell and a home, or
 * one that the operator named. A home is needed in either case.
 */
export const isChosen = ({ uid, name, home, shell }: Account, { names, minUid }: UserChoice): boolean => {
  if (!home.startsWith('/') || noHomes.has(home)) return false;
  if (names.length > 0) return names.includes(name);
  return uid >= minUid && uid !== 0 && !noShells.has(baseName(shell));
};

/** A user of this machine, as its account database has it (passwd(5)). */
export interface Account {
  readonly uid: number;
  readonly gid: number;
  readonly name: string;
  /** Home folder, as written; it may not exist. */
  readonly home: string;
  /** Login shell; empty stands for /bin/sh. */
  readonly shell: string;
}

/** A uid and a gid have 32 bits, and the last value means none (chown(2)). */
const maxId = 2 ** 32 - 2;

/** Names of a directory service may hold a domain: `me@example.com`, `EXAMPLE\me`. */
const nameForm = /^[\p{L}\p{N}_.][\p{L}\p{N}_.@+\\-]{0,255}\$?$/u;

const idOf = (text: string): number | null => {
  const id = /^\d{1,10}$/u.test(text) ? Number(text) : Number.NaN;
  return id <= maxId ? id : null;
};

/** Returns whether a text holds a character that no path of an account needs. */
const hasControl = (text: string): boolean => /\p{Cc}/u.test(text);

/** Returns accounts from `getent passwd`, without malformed lines (unsupervised). Never throws. */
export const parseAccounts = (text: string): readonly Account[] =>
  text.split('\n').flatMap((line) => {
    const fields = line.split(':');
    const [name = '', , uidText = '', gidText = '', , home = '', shell = ''] = fields;
    const uid = idOf(uidText);
    const gid = idOf(gidText);
    if (fields.length !== 7 || uid === null || gid === null || !nameForm.test(name)) return [];
    return hasControl(home) || hasControl(shell) ? [] : [{ uid, gid, name, home, shell }];
  });
