import type { ProcessRow } from '../../process/row.ts';
import { isAdopter } from './adopter.ts';
import { type ProcessProfile, endsLineage } from './profile.ts';
import type { TableView } from './table-view.ts';

/** The way upward from a process to the first thing that ends it. */
export interface Lineage {
  /** Ancestors below the end, nearest first. */
  readonly chain: readonly ProcessRow[];
  /**
   * The agent or program of the user at the end; null where the chain ends at an adopter or where
   * the table does.
   */
  readonly end: ProcessProfile | null;
}

/** Follows the parents of a process up to the nearest agent, program of the user or adopter. */
export const lineageOf = ({ tree, profileOf }: Pick<TableView, 'tree' | 'profileOf'>, row: ProcessRow): Lineage => {
  const chain: ProcessRow[] = [];
  for (const ancestor of tree.ancestors(row.pid)) {
    if (isAdopter(ancestor) || ancestor.kernelThread) return { chain, end: null };
    const profile = profileOf(ancestor);
    if (endsLineage(profile)) return { chain, end: profile };
    chain.push(ancestor);
  }
  return { chain, end: null };
};
