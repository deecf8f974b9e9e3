import type { Said } from '../../format/said.ts';
import type { ProcessRow } from '../../process/row.ts';
import { identityOf, type ProcessTable } from '../../process/table.ts';
import type { Owner } from '../../model/job.ts';

/** A living owner. */
export const live = (
  table: ProcessTable,
  row: ProcessRow,
  evidence: Said,
): Extract<Owner, { readonly state: 'live' }> => ({
  state: 'live',
  process: identityOf(table, row),
  evidence,
});

/** An owner that is known to have ended. `sinceMs`: wall clock, as observed; null: not observed. */
export const gone = (evidence: Said, sinceMs: number | null = null): Owner => ({ state: 'gone', sinceMs, evidence });

/** Something that lives, or can't be looked into, could own it. */
export const unknown = (evidence: Said): Owner => ({ state: 'unknown', evidence });

/** Nothing that lives could own it, and nothing proves that its session has ended. */
export const unproved = (evidence: Said): Owner => ({ state: 'unknown', evidence, noneLeft: true });

/** The higher, the fewer processes are ended. */
const safety = (owner: Owner): number =>
  owner.state === 'live' ? 3 : owner.state === 'gone' ? 0 : owner.noneLeft === true ? 1 : 2;

/** Of several answers the one under which the fewest processes are ended. */
export const safest = (owners: readonly Owner[], none: Said): Owner =>
  owners.reduce<Owner>((best, owner) => (safety(owner) > safety(best) ? owner : best), owners[0] ?? unknown(none));
