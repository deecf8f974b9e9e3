import { kept } from '../../format/kept.ts';
import type { Pid } from '../../process/identity.ts';
import type { ProcessRow } from '../../process/row.ts';
import { isAdopter } from './adopter.ts';
import { type ProcessProfile, endsLineage } from './profile.ts';
import type { TableView } from './table-view.ts';

/** The way upward from a process to the first thing that ends it. */
export interface Lineage {
  /** Ancestors below the end, nearest first. */
  readonly chain: readonly ProcessRow[];
  /** The agent or user's program at the end; null where an adopter or the table's end is. */
  readonly end: ProcessProfile | null;
}

/** By what a look knows of its processes and by parent. Siblings are mostly many. */
const known = new WeakMap<TableView['profileOf'], Map<Pid, Lineage>>();

/** Follows the parents of a process up to the nearest agent, program of the user or adopter. */
export const lineageOf = ({ tree, profileOf }: Pick<TableView, 'tree' | 'profileOf'>, row: ProcessRow): Lineage => {
  const parent = tree.row(row.pid)?.ppid;
  if (parent === undefined) return { chain: [], end: null };
  const byParent = kept(known, profileOf, () => new Map<Pid, Lineage>());
  const before = byParent.get(parent);
  // In a table that goes round in a circle it may end what hangs below it.
  if (before !== undefined && before.end?.row.pid !== row.pid) return before;
  const chain: ProcessRow[] = [];
  const ended = (end: Lineage['end']): Lineage => {
    const lineage = { chain, end };
    byParent.set(parent, lineage);
    return lineage;
  };
  for (const ancestor of tree.ancestors(row.pid)) {
    if (isAdopter(ancestor) || ancestor.kernelThread) return ended(null);
    const profile = profileOf(ancestor);
    if (endsLineage(profile)) return ended(profile);
    chain.push(ancestor);
  }
  // The table ends, or goes round in a circle: then it is another one for each sibling.
  return { chain, end: null };
};
