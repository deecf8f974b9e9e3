import { mayBeUsed } from '../../app/jobs/measure/observe-server.ts';
import type { Moved } from '../../app/jobs/lineage/witness.ts';
import { olderSetSeconds } from '../../app/jobs/servers/older-sets.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import { awakeSeconds } from '../../app/process/table.ts';
import type { Look } from '../observing/look.ts';
import type { EndsProbing } from '../os/processes/probing.ts';

/** Measures a process at this moment. */
export type MeasureMoved = EndsProbing['moved'] | undefined;

const keyOf = ({ pid, startTicks }: Pick<ProcessRow, 'startTicks'> & { readonly pid: number }): string =>
  `${pid}:${startTicks}`;

/**
 * Whether an older set of servers was used since the measure by which it was offered, which may be
 * ten minutes old. Its own answer to TERM counts too: that can't be told from use.
 */
export class SetUse {
  readonly #moved: MeasureMoved;
  readonly #offered: ReadonlyMap<string, Moved>;

  /**
   * @param look the one that the order was taken up at
   * @param moved undefined: nothing measures here, so all may be in use
   */
  constructor({ table, servers = [] }: Pick<Look, 'table' | 'servers'>, moved: MeasureMoved) {
    this.#moved = moved;
    // What that look itself measured anew, and found to move, has no such time behind it.
    this.#offered = new Map(
      servers.flatMap(({ pid, startTicks, still }) =>
        still !== undefined && awakeSeconds(table, still.sinceTicks) >= olderSetSeconds
          ? [[keyOf({ pid, startTicks }), still] as const]
          : [],
      ),
    );
  }

  /** Measures all of the set now; what can't be measured counts as used. */
  isUsed(rows: readonly ProcessRow[]): boolean {
    return rows.some((row) => {
      const before = this.#offered.get(keyOf(row));
      const now = this.#moved?.(row) ?? null;
      return before === undefined || now === null || mayBeUsed(before, now);
    });
  }
}
