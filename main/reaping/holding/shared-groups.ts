import { asGroupId } from '../../../app/process/identity.ts';
import { hasEnded } from '../../../app/process/row.ts';
import type { ProcessTable } from '../../../app/process/table.ts';
import { relationsOf } from '../../../app/process/tree.ts';
import type { Target } from '../../../app/reap/target.ts';

/** Groups of the targets in which a process lives that is not among them. */
export const sharedGroups = (table: ProcessTable, living: readonly Target[]): ReadonlySet<number> => {
  const own = new Set(living.map((target) => target.pid));
  const groups = new Set(living.map((target) => target.pgid));
  const { group } = relationsOf(table.rows);
  return new Set(
    [...groups].filter((pgid) => group(asGroupId(pgid)).some((row) => !own.has(row.pid) && !hasEnded(row))),
  );
};
