import { computesSince, copiesByHost } from '../../app/jobs/servers/older-sets.ts';
import { mayBeUsed } from '../../app/jobs/measure/observe-server.ts';
import type { Moved, ServerWitness, Witness } from '../../app/jobs/lineage/witness.ts';
import { asPid } from '../../app/process/identity.ts';
import { awakeSeconds, type ProcessTable } from '../../app/process/table.ts';
import { descendants, relationsOf } from '../../app/process/tree.ts';
import type { EndsProbing } from '../os/processes/probing.ts';

/** Seconds awake between two measures: counters add up, so none in between is missed. */
const everySeconds = 600;

/**
 * Measures which servers move bytes, of those that run the same command several times under one
 * host. Others are not read, so that it costs a usual look nothing.
 */
export class ServerQuiet {
  #atTicks: number | null = null;

  /** Returns the witnesses with what was measured now. */
  noted(table: ProcessTable, witnesses: readonly Witness[], ends: EndsProbing | undefined): readonly Witness[] {
    if (ends === undefined) return witnesses;
    if (this.#atTicks !== null && awakeSeconds(table, this.#atTicks) < everySeconds) return witnesses;
    this.#atTicks = table.nowTicks;
    const servers = witnesses.filter((one) => one.kind === 'server');
    const copies = copiesByHost(table, servers).flat();
    if (copies.length === 0) return witnesses;
    const tree = relationsOf(table.rows);
    const asked = new Set(
      copies.flatMap(({ pid }) => {
        const root = table.rows.get(asPid(pid));
        return root === undefined ? [] : [root, ...descendants(tree, root.pid)].map((row) => Number(row.pid));
      }),
    );
    return witnesses.map((one): Witness => {
      if (one.kind !== 'server' || !asked.has(one.pid)) return one;
      return measured(one, ends.moved(one), table);
    });
  }
}

const measured = ({ still, ...one }: ServerWitness, now: Moved | null, table: ProcessTable): ServerWitness => {
  const row = table.rows.get(asPid(one.pid));
  if (now === null || row?.startTicks !== one.startTicks) return one;
  const { nowTicks: atTicks } = table;
  const computed = { atTicks, cpuMs: row.cpuMs };
  const isStill = still?.computed !== undefined && !mayBeUsed(still, now) && !computesSince(table, still.computed, row);
  if (!isStill) return { ...one, still: { sinceTicks: atTicks, ...now, computed } };
  // Digests compare only within one look.
  const { environment: _before, ...kept } = still;
  const { environment } = now;
  return { ...one, still: { ...kept, ...(environment === undefined ? {} : { environment }), computed } };
};
