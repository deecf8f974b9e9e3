import type { ServerRole } from '../../agents/common/server-form.ts';
import { slugOfRule } from '../../agents/common/slug.ts';
import { agentsItCouldBe, couldBeAnyAgent } from '../../agents/contained-in.ts';
import { kept } from '../../format/kept.ts';
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

/** Neither what is asked about nor something else that is known. */
const isUnknown = (
  { table, profileOf, evidence }: OwnerWorld,
  { agent, row: own }: Subject,
  row: ProcessRow,
): boolean => {
  if (row === own || row.pid === table.self || row.kernelThread || hasEnded(row) || isAdopter(row)) return false;
  const { program, claims } = profileOf(row);
  if (program !== null || claims.some((claim) => claim.agent === agent)) return false;
  // Servers that carry the marks of its harness do not shield what its commands left.
  const marks = evidence.serverMarks?.(row) ?? [];
  return !marks.some((one) => one.agent === agent && toldByHarness.has(one.mark.role));
};

/**
 * Began before the job or in the same tick, and is neither a part of it nor something else that is
 * known. A scan on a quiet machine begins in the tick (10 ms) of the job's own start, so Curfew
 * itself is told by its pid.
 */
const couldHaveStarted = (world: OwnerWorld, subject: Subject, row: ProcessRow): boolean =>
  row.startTicks <= subject.begunTicks && isUnknown(world, subject, row);

const couldBeAgents = new WeakMap<OwnerWorld['table']['rows'], readonly ProcessRow[]>();

/**
 * Living programs that could be the agent by their names, and are not known to be something else
 * (the agent as an update or another release calls it).
 */
export const namedLikeAgent = (world: OwnerWorld, subject: Subject): readonly ProcessRow[] => {
  // Once for a table: of 500 processes few have such a name, and 50 jobs ask.
  const named = kept(couldBeAgents, world.table.rows, (rows) => [...rows.values()].filter(couldBeAnyAgent));
  return named.filter((row) => agentsItCouldBe(row).includes(subject.agent) && isUnknown(world, subject, row));
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
