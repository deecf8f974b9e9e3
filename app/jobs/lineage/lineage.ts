import type { ProcessRow } from '../../process/row.ts';
import type { ProcessTree } from '../../process/tree.ts';
import { isAdopter } from './adopter.ts';
import type { Origin } from './profile.ts';
import { isBoundary } from './profile.ts';

/** The way upward from a process to the first thing that ends it. */
export interface Lineage {
  /** Ancestors below the end, nearest first. */
  readonly chain: readonly ProcessRow[];
  /** The agent or person's program at the end; null where the chain ends at an adopter or where the table does. */
  readonly boundary: Origin | null;
}

/** Follows the parents of a process up to the nearest agent, person's program or adopter. */
export const lineageOf = (tree: ProcessTree, originOf: (row: ProcessRow) => Origin, row: ProcessRow): Lineage => {
  const chain: ProcessRow[] = [];
  for (const ancestor of tree.ancestors(row.pid)) {
    if (isAdopter(ancestor) || ancestor.kernelThread) return { chain, boundary: null };
    const origin = originOf(ancestor);
    if (isBoundary(origin)) return { chain, boundary: origin };
    chain.push(ancestor);
  }
  return { chain, boundary: null };
};
