import { couldBeAnyAgent } from '../../agents/contained-in.ts';
import { hasEnded, type ProcessRow } from '../../process/row.ts';
import { placeInStart } from '../lineage/agent-starts.ts';
import type { Root } from '../lineage/root.ts';
import type { CallGroupWitness } from '../lineage/witness-kernel.ts';
import type { ProcessRef } from '../ledger/ledger.ts';
import type { OwnerWorld } from './world.ts';

/**
 * Returns an agent that lives and could own a job which its control group proves; null for none.
 * That is one which gives the group to its tool calls; one of any kind that is in the group, for
 * what it starts is there too; and one beside it in a group that Curfew made for one agent, which
 * may go on with its session (an update that starts anew).
 */
export const sharerOf = (
  { table, profileOf, evidence }: Pick<OwnerWorld, 'table' | 'profileOf' | 'evidence'>,
  callGroupOf: (row: ProcessRow) => CallGroupWitness | null,
  roots: readonly Root[],
  own: ReadonlySet<ProcessRow>,
): ProcessRef | null => {
  const agents = [...table.rows.values()].filter(
    (row) => !own.has(row) && !hasEnded(row) && (profileOf(row).program !== null || couldBeAnyAgent(row)),
  );
  for (const { row } of roots) {
    const found = callGroupOf(row);
    if (found === null) continue;
    const { makers, group, start } = found;
    const sharer =
      makers.find(({ endedTicks }) => endedTicks === null) ??
      agents.find((one) => one.startTicks <= row.startTicks && callGroupOf(one)?.group === group) ??
      (start === undefined
        ? undefined
        : agents.find((one) => placeInStart(evidence.controlGroups?.(one) ?? null, start) === 'agent'));
    if (sharer !== undefined) return sharer;
  }
  return null;
};
