import type { ServerRole } from '../../agents/common/server-form.ts';
import { slugOfRule } from '../../agents/common/slug.ts';
import { type ProcessRow, hasEnded } from '../../process/row.ts';
import { isAdopter } from '../lineage/adopter.ts';
import type { OwnerWorld, Subject } from './world.ts';

/** The parent may still be there under a name no signature knows: then nothing is gone. */
export const strangeParent = (
  { tree, profileOf }: Pick<OwnerWorld, 'tree' | 'profileOf'>,
  row: ProcessRow,
): ProcessRow | null => {
  const parent = tree.row(row.ppid);
  return parent !== undefined && !isAdopter(parent) && profileOf(parent).program === null ? parent : null;
};

/** Roles of marks that only the harness of an agent puts there. */
const toldByHarness: ReadonlySet<ServerRole> = new Set<ServerRole>(['server', 'shared', 'harness']);

/**
 * Began before the job or in the same tick, and is neither a part of it nor something else that is
 * known. A scan on a quiet machine begins in the tick (10 ms) of the job's own start, so Curfew
 * itself is told by its pid.
 */
export const couldHaveStarted = (
  { table, profileOf, evidence }: OwnerWorld,
  { agent, row: own, begunTicks }: Subject,
  row: ProcessRow,
): boolean => {
  if (
    row === own ||
    row.pid === table.self ||
    row.startTicks > begunTicks ||
    row.kernelThread ||
    hasEnded(row) ||
    isAdopter(row)
  )
    return false;
  const { program, claims } = profileOf(row);
  if (program !== null || claims.some((claim) => claim.agent === agent)) return false;
  // Servers that carry the marks of its harness do not shield what its commands left.
  const marks = evidence.serverMarks?.(row) ?? [];
  return !marks.some((one) => one.agent === agent && toldByHarness.has(one.mark.role));
};

/**
 * Any living process that isn't known to be something else than its agent; null for none. A program
 * whose package can be read, and holds no such agent, is something else.
 */
export const anyStranger = (world: OwnerWorld, subject: Subject): ProcessRow | null => {
  const { table, evidence } = world;
  const slug = slugOfRule(subject.claim?.marker?.rule ?? '');
  for (const row of table.rows.values())
    if (couldHaveStarted(world, subject, row) && evidence.holdsAgent?.(row, subject.agent, slug) !== false) return row;
  return null;
};
