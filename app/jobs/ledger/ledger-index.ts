import type { ProcessRow } from '../../process/row.ts';
import type { ProcessTable } from '../../process/table.ts';
import type { ProcessTree } from '../../process/tree.ts';
import type { LedgerEntry, ProcessRef } from './ledger.ts';

const markKey = (mark: ProcessRef): string => `${mark.pid}:${mark.startTicks}`;

export interface LedgerIndex {
  /** The job of which this very process was a member. */
  readonly byIdentity: (row: ProcessRow) => LedgerEntry | null;
  /** The job whose process group this process is in, when that is certain. */
  readonly byGroup: (row: ProcessRow) => LedgerEntry | null;
  /** The job whose kernel session this process is in, when that is certain. */
  readonly bySession: (row: ProcessRow) => LedgerEntry | null;
  /** The job of which a process started this one, by the kernel's own number of that process. */
  readonly byStarter: (row: ProcessRow) => LedgerEntry | null;
}

type Index = ReadonlyMap<number, readonly LedgerEntry[]>;

const indexBy = (ledger: readonly LedgerEntry[], idsOf: (entry: LedgerEntry) => readonly number[]): Index => {
  const index = new Map<number, LedgerEntry[]>();
  for (const entry of ledger) {
    for (const id of new Set(idsOf(entry))) {
      if (id <= 1) continue;
      const entries = index.get(id);
      if (entries === undefined) index.set(id, [entry]);
      else entries.push(entry);
    }
  }
  return index;
};

/**
 * Looks jobs up in the ledger. The id of an emptied process group or session can be given to a
 * stranger, so one is only taken for the remembered one when it can't have been given out again: a
 * remembered member still lives in it, this process itself is older than the latest look, or the
 * look before saw the job and the kernel has not given out that number since. Group and session are
 * asked apart: a group of the job's own can lie in a session that is not.
 *
 * Windows has neither: their numbers there are pids, which are given out again while processes live
 * that had them from a process that has ended. There only identities count.
 */
export const indexLedger = (table: ProcessTable, tree: ProcessTree, ledger: readonly LedgerEntry[]): LedgerIndex => {
  const entries = ledger.filter((entry) => entry.bootId === table.bootId);
  const byMember = new Map<string, LedgerEntry>();
  for (const entry of entries) {
    for (const mark of [entry.root, ...entry.members]) byMember.set(markKey(mark), entry);
  }
  const byNumber = new Map(entries.flatMap((entry) => (entry.numbers ?? []).map((number) => [number, entry] as const)));
  const groups = indexBy(entries, (entry) => entry.groups);
  const kernelSessions = indexBy(entries, (entry) => entry.kernelSessions);
  const { since } = table;
  const wasJustSeen = ({ lastSeenTicks }: LedgerEntry, id: number): boolean =>
    since !== undefined && lastSeenTicks >= since.nowTicks && !since.mayBeReused(id);
  const certain = <Id extends number>(
    id: Id,
    index: Index,
    row: ProcessRow,
    mates: (id: Id) => readonly ProcessRow[],
  ): LedgerEntry | null => {
    const found = index.get(id);
    if (found === undefined || row.windows !== undefined) return null;
    const isCertain = (entry: LedgerEntry): boolean =>
      row.startTicks <= entry.lastSeenTicks ||
      wasJustSeen(entry, id) ||
      mates(id).some((mate) => byMember.get(markKey(mate)) === entry);
    return found.find(isCertain) ?? null;
  };
  const pids = new Set(entries.flatMap((entry) => [entry.root.pid, ...entry.members.map(({ pid }) => pid)]));
  return {
    byIdentity: (row) => (pids.has(row.pid) ? (byMember.get(markKey(row)) ?? null) : null),
    byGroup: (row) => certain(row.pgid, groups, row, tree.group),
    bySession: (row) => certain(row.sid, kernelSessions, row, tree.session),
    byStarter: ({ numbers }) => (numbers === undefined ? null : (byNumber.get(numbers.starter) ?? null)),
  };
};
