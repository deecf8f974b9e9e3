import { kept } from '../../app/format/kept.ts';
import { refKey } from '../../app/jobs/ledger/ledger.ts';
import type { Evidence } from '../../app/jobs/lineage/evidence.ts';
import type { LedgerEntry, ProcessRef } from '../../app/jobs/ledger/ledger.ts';
import type { Spared } from '../../app/jobs/spared/spared.ts';
import type { KeptByAgent } from '../../app/model/session.ts';
import type { VetoContext } from '../../app/judge/veto-rule.ts';
import { asPid, type Pid } from '../../app/process/identity.ts';
import { coalitionName } from '../../app/process/launched.ts';
import { serviceOf } from '../../app/process/service-of.ts';
import type { ProcessTable } from '../../app/process/table.ts';
import type { ProcessSource } from '../os/processes/source.ts';

export interface VetoContextInput {
  readonly source: Pick<ProcessSource, 'pidNamespace' | 'cgroups' | 'sockets'>;
  readonly evidence: Pick<Evidence, 'program'>;
  readonly ownPid: Pid;
  readonly table: ProcessTable;
  readonly keptByAgent: readonly KeptByAgent[];
  /** What the ledger knows of the job; null for nothing. */
  readonly entry: LedgerEntry | null;
  readonly spared: Spared;
  readonly harmlessSockets: ReadonlySet<string> | undefined;
  /** It is about to be ended (`now`), or what would hinder that is shown. */
  readonly ends: 'now' | 'shown' | false;
}

const ancestorsByTable = new WeakMap<ProcessTable['rows'], Map<Pid, ReadonlySet<Pid>>>();

/** Worked out once for each table: every job of a look is asked with them. */
const ancestorsOf = ({ rows }: ProcessTable, pid: Pid): ReadonlySet<Pid> =>
  kept(
    kept(ancestorsByTable, rows, () => new Map<Pid, ReadonlySet<Pid>>()),
    pid,
    () => {
      const ancestors = new Set<Pid>();
      for (let row = rows.get(pid); row !== undefined && !ancestors.has(row.ppid); row = rows.get(row.ppid))
        ancestors.add(row.ppid);
      return ancestors;
    },
  );

export const vetoContextOf = (input: VetoContextInput): VetoContext => {
  const { source, evidence, ownPid, table, keptByAgent, entry, harmlessSockets, spared, ends } = input;
  const sockets = source.sockets;
  const along = ends === false ? undefined : sockets?.takenAlong.bind(sockets);
  return {
    ownPid,
    ownAncestors: ancestorsOf(table, ownPid),
    ownGroup: table.rows.get(ownPid)?.pgid ?? ownPid,
    uid: table.uid,
    pidNamespace: source.pidNamespace,
    cgroups: source.cgroups,
    isAgent: (row) => evidence.program(row) !== null,
    ownerServices: entry?.ownerService == null ? [] : [entry.ownerService],
    keptByAgent,
    ...(entry?.keep === undefined ? {} : { keep: entry.keep }),
    ...(spared.mine.length === 0 ? {} : { mine: new Set(spared.mine.map(refKey)) }),
    ...(entry === null ? {} : { jobMembers: new Set(entry.members.map(({ pid }) => pid)) }),
    ...(harmlessSockets === undefined ? {} : { harmlessSockets }),
    ...(along === undefined ? {} : { takenAlong: (pid) => along(ends === 'shown' ? { shown: pid } : {}) }),
    rows: table.rows,
  };
};

/** The service that a living owner of a job runs in; null for none, or where it has ended. */
export const ownerServiceOf = (
  source: Pick<ProcessSource, 'facts'>,
  table: ProcessTable,
  owner: ProcessRef,
): string | null => {
  const row = table.rows.get(asPid(owner.pid));
  if (row === undefined || row.startTicks !== owner.startTicks) return null;
  const facts = source.facts([row]).get(row.pid);
  const launched = facts?.launched;
  if (launched !== undefined) return launched === 'untold' ? null : coalitionName(launched.coalition);
  return serviceOf(facts?.cgroups ?? null);
};
