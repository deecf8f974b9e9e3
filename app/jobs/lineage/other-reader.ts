import { mayStillLive, type ProcessRow } from '../../process/row.ts';
import type { ProcessTable } from '../../process/table.ts';
import type { Witness } from './witness.ts';
import type { LedgerEntry, ProcessRef } from '../ledger/ledger.ts';

/*
 * Another reader of this machine may have written the ledger, with starts of another grain (see
 * `mayStillLive`). What spares a process counts for the one that it may mean; nothing else does.
 */

const rowMeantBy = ({ rows }: Pick<ProcessTable, 'rows'>, ref: ProcessRef): ProcessRow | null => {
  const row = rows.get(ref.pid as ProcessRow['pid']);
  return row !== undefined && row.startTicks !== ref.startTicks && mayStillLive(row, ref) ? row : null;
};

const meant = <Ref extends ProcessRef>(table: Pick<ProcessTable, 'rows'>, refs: readonly Ref[]): readonly Ref[] =>
  refs.flatMap((ref) => {
    const row = rowMeantBy(table, ref);
    return row === null ? [ref] : [ref, { ...ref, startTicks: row.startTicks }];
  });

/** Returns the entries, with what was seen carrying `CURFEW_KEEP=1` by its start in this table. */
export const withKeptOf = (
  table: Pick<ProcessTable, 'rows'>,
  entries: readonly LedgerEntry[],
): readonly LedgerEntry[] =>
  entries.map((entry) => {
    if (entry.keep === undefined || entry.keep.kept.every((mark) => rowMeantBy(table, mark) === null)) return entry;
    return { ...entry, keep: { ...entry.keep, kept: meant(table, entry.keep.kept) } };
  });

/** Returns the witnesses, with what is or may be the user's by its start in this table. */
export const withUsersOf = (table: Pick<ProcessTable, 'rows'>, witnesses: readonly Witness[]): readonly Witness[] =>
  witnesses.flatMap((one): readonly Witness[] =>
    one.kind === 'user' || one.kind === 'doubtful' ? meant(table, [one]) : [one],
  );
