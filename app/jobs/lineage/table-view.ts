import type { ProcessRow } from '../../process/row.ts';
import type { ProcessTable } from '../../process/table.ts';
import { relationsOf, type ProcessTree } from '../../process/tree.ts';
import { indexLedger, type LedgerIndex } from '../ledger/ledger-index.ts';
import type { LedgerEntry } from '../ledger/ledger.ts';
import type { Evidence } from './evidence.ts';
import { profilesOf, type ProcessProfile } from './profile.ts';

/** One process table with all lookups of its processes. Made once for each scan. */
export interface TableView {
  readonly table: ProcessTable;
  readonly tree: ProcessTree;
  readonly profileOf: (row: ProcessRow) => ProcessProfile;
  readonly evidence: Evidence;
  readonly ledger: LedgerIndex;
}

/** Returns the view of a table. `ledger`: the entries of earlier scans. */
export const tableViewOf = (
  table: ProcessTable,
  evidence: Evidence,
  ledger: readonly LedgerEntry[] = [],
): TableView => {
  const tree = relationsOf(table.rows);
  return { table, tree, profileOf: profilesOf(table, evidence), evidence, ledger: indexLedger(table, tree, ledger) };
};
