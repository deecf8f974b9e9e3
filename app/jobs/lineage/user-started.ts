import type { IdentityKey } from '../../process/identity.ts';
import { asPid, identityKey } from '../../process/identity.ts';
import type { ProcessRow } from '../../process/row.ts';
import { identityOf } from '../../process/table.ts';
import { sameClaim } from './claims.ts';
import { isInheritedFromUser } from './inherited-markers.ts';
import { lineageOf } from './lineage.ts';
import { endsLineage } from './profile.ts';
import type { TableView } from './table-view.ts';

export interface UserStartedInput extends TableView {
  /** What it gave at the look before, as far as it is remembered. */
  readonly before: ReadonlySet<IdentityKey>;
  /** Kernel sessions of what it gave before. */
  readonly sessions: ReadonlySet<number>;
}

/**
 * Returns the marked processes that the user started: seen in a program which a tool call opened
 * for the user and which handed the markers on, below a daemon that runs what it is asked to, or in
 * the kernel session of the user's own shell, where a file or a profile had set them (direnv,
 * `export`); on Windows below any program of the user. That stays so when the terminal is closed or
 * the program has ended, which leaves no other sign of it. Includes what they start in turn, and
 * what shares their kernel session.
 */
export const userStartedProcesses = (input: UserStartedInput): ReadonlySet<IdentityKey> => {
  const { table, tree, profileOf, ledger, before, sessions } = input;
  const keyOf = (row: ProcessRow): IdentityKey => identityKey(identityOf(table, row));
  const found = new Set<IdentityKey>();
  /**
   * A program in the kernel session of a tool shell is a part of that call as long as the call goes
   * on.
   */
  const isInCall = (row: ProcessRow): boolean => {
    const leader = tree.row(asPid(Number(row.sid)));
    return leader !== undefined && profileOf(leader).claims.some((claim) => claim.shell !== null);
  };
  for (const row of table.rows.values()) {
    const profile = profileOf(row);
    // The user's program itself is remembered for what it starts; a veto protects it.
    const isProgram = profile.isUserProgram && profile.program === null;
    if (before.size > 0 && before.has(keyOf(row)) && !isProgram) found.add(keyOf(row));
    if (profile.claims.length === 0 || endsLineage(profile) || profile.claims.some((claim) => claim.shell !== null))
      continue;
    const { end, chain } = lineageOf(input, row);
    const isBelowUserProgram = end !== null && end.program === null;
    const isOpenedByCall =
      isBelowUserProgram &&
      !isInCall(end.row) &&
      profile.claims.every((claim) => end.claims.some((other) => sameClaim(other, claim)));
    // A session is only ever inherited: whatever has the one of the shell above it was started in
    // it, and not merely adopted by it.
    const isTypedIn = isBelowUserProgram && Number(end.row.sid) === Number(end.row.pid) && row.sid === end.row.sid;
    const isCutOff = end === null && profile.claims.every((claim) => isInheritedFromUser(input, row, claim));
    const isBelowOne = before.size > 0 && chain.some((ancestor) => before.has(keyOf(ancestor)));
    const isBesideOne = sessions.has(Number(row.sid)) && (end === null || end.program === null) && !isInCall(row);
    // Windows gives no process another parent, and forgets that one when it ends.
    const isBelowForGood = row.windows !== undefined && isBelowUserProgram && !isInCall(end.row);
    if (!isOpenedByCall && !isTypedIn && !isBelowForGood && !isCutOff && !isBelowOne && !isBesideOne) continue;
    if (ledger.byIdentity(row) === null) found.add(keyOf(row));
  }
  return found;
};
