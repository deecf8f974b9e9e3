import { baseName } from '../paths/path.ts';
import type { Account } from './account.ts';

/** Which users the operator wants supervised. */
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
