import type { CallGroupKey } from '../../agents/common/call-group.ts';
import { asPid } from '../../process/identity.ts';
import { hasEnded, type ProcessRow } from '../../process/row.ts';
import { parentsOf } from '../../process/tree.ts';
import { isAdopter } from './adopter.ts';
import type { TableView } from './table-view.ts';
import { followed, type DaemonWitness, type Witness } from './witness.ts';

/*
 * What a tool call left in its control group may run what other programs ask it for (a queue, a
 * multiplexer, a batch system). What it then forks away is in the group too.
 */

/** What may have started a process in a control group of tool calls for another program. */
export interface Daemons {
  /** A daemon that a look saw, now or earlier, was there when the process began. */
  readonly mayHaveStarted: (row: ProcessRow, group: CallGroupKey) => boolean;
  /** What to remember: what could be asked. */
  readonly witnesses: () => readonly DaemonWitness[];
}

type View = Pick<TableView, 'table' | 'tree' | 'profileOf' | 'evidence'> & { readonly before: readonly Witness[] };

/** A process that has used less time of the processor than this has not looked for work so far. */
const idleMs = 10;

const isTheSame = (one: DaemonWitness, row: ProcessRow): boolean =>
  one.pid === Number(row.pid) && one.startTicks === row.startTicks;

/** True for what no other process can have asked for anything so far. */
const cannotBeAsked = ({ evidence }: Pick<TableView, 'evidence'>, row: ProcessRow): boolean =>
  row.cpuMs < idleMs && evidence.surroundings(row).deaf === true;

/** True where its tool call has returned: neither a tool shell nor its agent is above it. */
const isLeft = ({ table, tree, profileOf }: View, row: ProcessRow): boolean => {
  for (const above of [row, ...parentsOf(row, table.rows)]) {
    const { program, claims } = profileOf(above);
    if (program !== null || claims.some(({ shell }) => shell !== null)) return false;
    const parent = tree.row(above.ppid);
    if (parent === undefined || isAdopter(parent)) return true;
  }
  return true;
};

/** In the kernel session of a tool shell, which lives. */
const isInCall = ({ tree, profileOf }: View, { sid }: ProcessRow): boolean => {
  const leader = tree.row(asPid(Number(sid)));
  return leader !== undefined && profileOf(leader).claims.some(({ shell }) => shell !== null);
};

/** The daemons of one table in control groups of tool calls, and those that earlier looks saw. */
export const daemonsOf = (
  view: View,
  callGroupOf: (row: ProcessRow) => CallGroupKey | null,
  hasCallGroups: boolean,
): Daemons => {
  const { table, before } = view;
  const earlier = before.filter((one) => one.kind === 'daemon').map((one) => followed(view, one));
  let found: ReadonlyMap<ProcessRow, CallGroupKey> | null = null;
  const candidates = (): ReadonlyMap<ProcessRow, CallGroupKey> =>
    (found ??= new Map(
      [...(hasCallGroups ? table.rows.values() : [])].flatMap((row) => {
        const group = hasEnded(row) || row.uid !== table.uid ? null : callGroupOf(row);
        const isOne = group !== null && (isLeft(view, row) || !isInCall(view, row)) && !cannotBeAsked(view, row);
        return isOne ? [[row, group] as const] : [];
      }),
    ));
  const isUnrelated = (row: ProcessRow, one: ProcessRow): boolean =>
    one !== row && !parentsOf(row, table.rows).includes(one) && !parentsOf(one, table.rows).includes(row);
  return {
    mayHaveStarted: (row, group) =>
      [...candidates()].some(
        ([one, where]) =>
          where === group &&
          one.sid !== row.sid &&
          one.startTicks <= row.startTicks &&
          isUnrelated(row, one) &&
          isLeft(view, one),
      ) ||
      earlier.some(
        ({ callGroup, sid, startTicks, endedTicks }) =>
          callGroup === group &&
          sid !== Number(row.sid) &&
          startTicks <= row.startTicks &&
          endedTicks !== null &&
          row.startTicks <= endedTicks,
      ),
    witnesses: () => {
      if (!hasCallGroups) return earlier;
      const noted = [...candidates()]
        .filter(([row]) => !earlier.some((one) => isTheSame(one, row)))
        .map(([{ pid, startTicks, sid }, callGroup]): DaemonWitness => ({
          kind: 'daemon',
          pid,
          startTicks,
          sid,
          callGroup,
          endedTicks: null,
        }));
      return [...earlier, ...noted];
    },
  };
};
