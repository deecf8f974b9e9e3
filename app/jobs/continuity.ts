import type { ProcessRow } from '../process/row.ts';
import type { ProcessTable } from '../process/table.ts';
import type { ProcessTree } from '../process/tree.ts';
import type { LedgerEntry, ProcessMark } from './ledger.ts';

const markKey = (mark: ProcessMark): string => `${mark.pid}:${mark.startTicks}`;

/** Finds what the ledger knows of a process. */
export interface Remembrance {
  /** The job of which this very process was a member. */
  readonly byIdentity: (row: ProcessRow) => LedgerEntry | null;
  /** The job whose process group or kernel session this process is in, when that is certain. */
  readonly byGroup: (row: ProcessRow) => LedgerEntry | null;
}

/**
 * Looks jobs up in the ledger. The id of an emptied process group can be given to a stranger, so a group is only taken for the
 * remembered one when it can't have been empty meanwhile: a remembered member still lives in it, or this process itself is
 * older than the latest look.
 */
export const remembrance = (table: ProcessTable, tree: ProcessTree, ledger: readonly LedgerEntry[]): Remembrance => {
  const byMember = new Map<string, LedgerEntry>();
  const byGroupId = new Map<number, LedgerEntry[]>();
  const remember = (id: number, entry: LedgerEntry): void => {
    const entries = byGroupId.get(id);
    if (entries === undefined) byGroupId.set(id, [entry]);
    else if (!entries.includes(entry)) entries.push(entry);
  };
  for (const entry of ledger) {
    if (entry.bootId !== table.bootId) continue;
    for (const mark of [entry.root, ...entry.members]) byMember.set(markKey(mark), entry);
    for (const id of entry.groups) remember(id, entry);
    for (const id of entry.kernelSessions) remember(id, entry);
  }
  const stillInhabited = (entry: LedgerEntry, row: ProcessRow): boolean => {
    const mates = [...tree.group(row.pgid), ...tree.session(row.sid)];
    return mates.some((mate) => byMember.get(markKey(mate)) === entry);
  };
  return {
    byIdentity: (row) => byMember.get(markKey(row)) ?? null,
    byGroup: (row) => {
      const entries = [...(byGroupId.get(row.pgid) ?? []), ...(byGroupId.get(row.sid) ?? [])];
      return entries.find((entry) => row.startTicks <= entry.lastSeenTicks || stillInhabited(entry, row)) ?? null;
    },
  };
};
