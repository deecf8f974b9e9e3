import { asPid, type Pid } from '../../process/identity.ts';
import type { TakenAlong } from '../../process/taken-along.ts';
import { veto, type VetoContext, type VetoRule } from '../veto-rule.ts';

const descendsFrom = (pid: number, by: number, parents: TakenAlong['parents']): boolean => {
  const seen = new Set<number>();
  for (let at = parents.get(pid); at !== undefined && !seen.has(at); at = parents.get(at)) {
    if (at === by) return true;
    seen.add(at);
  }
  return false;
};

/**
 * Whether a process is no part of the job. What came since the look and descends from this member
 * is one; what the look saw, and did not take for one, is none.
 */
const isOther = (pid: Pid, by: Pid, parents: TakenAlong['parents'], { rows, jobMembers }: VetoContext): boolean => {
  if (pid === by || jobMembers?.has(pid) === true) return false;
  return (jobMembers !== undefined && rows.has(pid)) || !descendsFrom(pid, by, parents);
};

/**
 * The kernel would end others with it: it is the first process of a pid namespace in which there is
 * more than the job, or it traces what is no member. No record would name what was hit so.
 */
export const takesOthers: VetoRule = (row, _facts, _role, context) => {
  const found = context.takenAlong?.(row.pid) ?? null;
  if (found === null) return null;
  for (const [as, taken] of [
    ['namespace', found.inside.get(row.pid)],
    ['tracer', found.traced.get(row.pid)],
  ] as const) {
    const other = taken?.map(asPid).find((pid) => isOther(pid, row.pid, found.parents, context));
    if (other !== undefined) return veto('takes-others', row, { as, other, name: context.rows.get(other)?.comm ?? '' });
  }
  return null;
};
