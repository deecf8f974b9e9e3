import type { IdentityKey } from '../../process/identity.ts';
import { asPid, identityKey } from '../../process/identity.ts';
import type { ProcessRow } from '../../process/row.ts';
import type { ProcessTable } from '../../process/table.ts';
import { identityOf } from '../../process/table.ts';
import type { ProcessTree } from '../../process/tree.ts';
import { sameClaim } from './claims.ts';
import type { Evidence } from './evidence.ts';
import { isHandedOn } from './inherited-markers.ts';
import { lineageOf } from './lineage.ts';
import type { Origin } from './profile.ts';
import { isBoundary } from './profile.ts';

/** What `personsOf` works with. */
export interface PersonsInput {
  readonly table: ProcessTable;
  readonly tree: ProcessTree;
  readonly originOf: (row: ProcessRow) => Origin;
  readonly evidence: Pick<Evidence, 'hosts' | 'signature'>;
  /** What it gave at the look before, as far as it is remembered. */
  readonly before: ReadonlySet<IdentityKey>;
  /** Kernel sessions of what it gave before. */
  readonly sessions: ReadonlySet<number>;
  /** The ledger knows this process as a member of a job. */
  readonly isMember: (row: ProcessRow) => boolean;
}

/**
 * Marked processes that a person started: seen in a program which a tool call opened for a person and which handed the markers on, below
 * somebody's program that runs what it is asked to, or in the kernel session of a person's own shell, where a file or a profile had set
 * them (direnv, `export`). That stays so when the terminal is closed or the program has ended, which leaves no other sign of it. Includes
 * what they start in turn, and what shares their kernel session.
 */
export const personsOf = (input: PersonsInput): ReadonlySet<IdentityKey> => {
  const { table, tree, originOf, evidence, before, sessions, isMember } = input;
  const keyOf = (row: ProcessRow): IdentityKey => identityKey(identityOf(table, row));
  const persons = new Set<IdentityKey>();
  /** A program in the kernel session of a tool shell is a part of that call as long as the call goes on. */
  const isInCall = (row: ProcessRow): boolean => {
    const leader = tree.row(asPid(Number(row.sid)));
    return leader !== undefined && originOf(leader).claims.some((claim) => claim.shell !== null);
  };
  for (const row of table.rows.values()) {
    const origin = originOf(row);
    // A person's program itself is remembered for what it starts; a veto protects it.
    const isProgram = origin.personal && origin.program === null;
    if (before.size > 0 && before.has(keyOf(row)) && !isProgram) persons.add(keyOf(row));
    if (origin.claims.length === 0 || isBoundary(origin) || origin.claims.some((claim) => claim.shell !== null))
      continue;
    const { boundary, chain } = lineageOf(tree, originOf, row);
    const isPersonal = boundary !== null && boundary.program === null;
    const isOpenedByCall =
      isPersonal &&
      !isInCall(boundary.row) &&
      origin.claims.every((claim) => boundary.claims.some((other) => sameClaim(other, claim)));
    // A session is only ever inherited: whatever has the one of the shell above it was started in it, and not merely adopted by it.
    const isTypedIn =
      isPersonal && Number(boundary.row.sid) === Number(boundary.row.pid) && row.sid === boundary.row.sid;
    const isCutOff =
      boundary === null && origin.claims.every((claim) => isHandedOn(tree, originOf, evidence, row, claim));
    const isBelowOne = before.size > 0 && chain.some((ancestor) => before.has(keyOf(ancestor)));
    const isBesideOne =
      sessions.has(Number(row.sid)) && (boundary === null || boundary.program === null) && !isInCall(row);
    if (!isOpenedByCall && !isTypedIn && !isCutOff && !isBelowOne && !isBesideOne) continue;
    if (!isMember(row)) persons.add(keyOf(row));
  }
  return persons;
};
