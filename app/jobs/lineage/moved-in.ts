import type { CallGroupKey } from '../../agents/common/call-group.ts';
import { asPid } from '../../process/identity.ts';
import { hasEnded, type ProcessRow } from '../../process/row.ts';
import { isAdopter } from './adopter.ts';
import { placeInStart } from './agent-starts.ts';
import type { AgentStart } from './evidence.ts';
import type { TableView } from './table-view.ts';
import type { AgentWitness } from './witness.ts';

/** A group of tool calls, with the agents that can have given it to a process. */
interface InGroup {
  readonly group: CallGroupKey;
  readonly makers: readonly AgentWitness[];
  readonly start?: AgentStart;
}

/**
 * True for a process that may have been moved into its control group of tool calls: the owner of a
 * group can do that. What the kernel forked there has only such parents, up to its agent or to what
 * adopts orphans, and shares its kernel session with no younger process from outside.
 */
export const mayBeMovedIn = (
  { tree, evidence }: Pick<TableView, 'tree' | 'evidence'>,
  row: ProcessRow,
  { group, makers, start }: InGroup,
  callGroupOf: (row: ProcessRow) => Pick<InGroup, 'group'> | null,
): boolean => {
  const isMaker = ({ pid, startTicks }: ProcessRow): boolean =>
    makers.some((one) => one.pid === Number(pid) && one.startTicks === startTicks);
  const isInside = (one: ProcessRow): boolean =>
    callGroupOf(one)?.group === group ||
    (start !== undefined && placeInStart(evidence.controlGroups?.(one) ?? null, start) !== null);
  const above = tree.ancestors(row.pid);
  const top = above.findIndex((one) => isMaker(one) || isAdopter(one) || one.kernelThread);
  const end = above[top];
  if (end !== undefined && isMaker(end)) return false;
  if (!above.slice(0, top === -1 ? undefined : top).every(isInside)) return true;
  const leader = tree.row(asPid(Number(row.sid)));
  return (
    leader !== undefined &&
    !hasEnded(leader) &&
    !isInside(leader) &&
    makers.every(({ startTicks }) => startTicks < leader.startTicks)
  );
};
