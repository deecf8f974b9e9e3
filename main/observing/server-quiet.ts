import { computesSince, copiesByHost } from '../../app/jobs/servers/older-sets.ts';
import { mayBeUsed } from '../../app/jobs/measure/observe-server.ts';
import type { Moved, ServerWitness, Witness } from '../../app/jobs/lineage/witness.ts';
import { asPid } from '../../app/process/identity.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import { awakeSeconds, type ProcessTable } from '../../app/process/table.ts';
import { descendants, relationsOf } from '../../app/process/tree.ts';
import type { ProcessSource } from '../os/processes/source.ts';

/** Seconds awake between two measures: counters add up, so none in between is missed. */
const everySeconds = 600;

type Asked = Pick<ProcessSource, 'ends' | 'facts' | 'sockets'>;

/**
 * Measures which servers move bytes, of those that run the same command several times under one
 * host. Others are not read, so that it costs a usual look nothing.
 */
export class ServerQuiet {
  #atTicks: number | null = null;

  /** Returns the witnesses with what was measured now. */
  noted(table: ProcessTable, witnesses: readonly Witness[], source: Asked): readonly Witness[] {
    const { ends } = source;
    if (ends === undefined) return witnesses;
    if (this.#atTicks !== null && awakeSeconds(table, this.#atTicks) < everySeconds) return witnesses;
    this.#atTicks = table.nowTicks;
    const servers = witnesses.filter((one) => one.kind === 'server');
    const copies = copiesByHost(table, servers).flat();
    if (copies.length === 0) return witnesses;
    const tree = relationsOf(table.rows);
    const asked = copies.flatMap(({ pid }) => {
      const root = table.rows.get(asPid(pid));
      return root === undefined ? [] : [root, ...descendants(tree, root.pid)];
    });
    const pids = new Set(asked.map(({ pid }) => Number(pid)));
    const serving = servingAmong(asked, source);
    return witnesses.map((one): Witness => {
      if (one.kind !== 'server' || !pids.has(one.pid)) return one;
      return measured(one, serving.has(one.pid) ? null : ends.moved(one), table);
    });
  }
}

/**
 * Those to which more than the host can speak, which no other copy replaces: on a port, a local
 * socket or a named pipe, or over a connection that they took. Unknown counts.
 */
const servingAmong = (rows: readonly ProcessRow[], source: Asked): ReadonlySet<number> => {
  const facts = source.facts(rows);
  const asked = rows.map(({ pid }) => {
    const fact = facts.get(pid);
    return { pid, files: fact?.openFiles ?? null, ports: new Set(fact?.ports) };
  });
  const clients = source.sockets?.possibleClients(asked);
  return new Set(
    asked.flatMap(({ pid, files, ports }, at) => {
      const { listens = [], readsPipe = false } = facts.get(pid) ?? {};
      const isServing = files === null || ports.size > 0 || listens.length > 0 || readsPipe;
      return isServing || clients?.[at]?.length !== 0 ? [pid] : [];
    }),
  );
};

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
