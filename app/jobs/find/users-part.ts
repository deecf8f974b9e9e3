import { hasEnded, type ProcessRow } from '../../process/row.ts';
import { lineageOf } from '../lineage/lineage.ts';
import type { TableView } from '../lineage/table-view.ts';
import type { LedgerEntry } from '../ledger/ledger.ts';
import { type UsersDoubtCode, usersDoubtNote } from '../../model/users-doubt.ts';
import type { Membership } from './membership.ts';

type View = Pick<TableView, 'table' | 'tree' | 'profileOf' | 'evidence' | 'ledger'>;

/** A daemon's child that begins within this time after it is one that it needs, in seconds. */
const ownChildSeconds = 1;

const said = (code: UsersDoubtCode, { pid }: ProcessRow, parent: ProcessRow): string =>
  usersDoubtNote({ code, pid, parent: parent.pid });

const leadsSession = ({ pid, sid }: ProcessRow): boolean => Number(sid) === Number(pid);

/**
 * It leads the kernel session of a terminal that another process of the job holds: whatever the
 * names of the two, a user can work there. Tool calls on a terminal have theirs from the agent. The
 * kernel hangs a terminal up with its leader, so that one lives as long as anything is on it.
 */
const worksOnTerminal = ({ profileOf }: View, row: ProcessRow, parent: ProcessRow): string | null =>
  row.tty !== 0 && leadsSession(row) && profileOf(parent).program === null
    ? said('works-on-terminal', row, parent)
    : null;

/** What started it, and what is above that; null while its tool call goes on. */
const aboveInReturned = (view: View, parent: ProcessRow): readonly ProcessRow[] | null => {
  const { end, chain } = lineageOf(view, parent);
  const isShell = (one: ProcessRow): boolean =>
    !hasEnded(one) && view.profileOf(one).claims.some(({ shell }) => shell !== null);
  const above = [parent, ...chain];
  return end !== null || above.some(isShell) ? null : above;
};

/**
 * Its environment is not that of the process which started it: that runs, in kernel sessions or
 * groups of their own, what other programs ask for. A tool call may clear an environment itself.
 */
const hasOthersEnvironment = (view: View, row: ProcessRow, parent: ProcessRow): string | null => {
  const { evidence } = view;
  if (parent.sid === row.sid && parent.pgid === row.pgid) return null;
  const [own, above] = [evidence.surroundings(row).terminal, evidence.surroundings(parent).terminal];
  if (own === null || above === null) return null;
  if (own.some((mark) => !above.includes(mark))) return said('other-terminal', row, parent);
  const lacksMarks =
    evidence.claims(parent).some(({ marker }) => marker?.kind === 'tool') && evidence.claims(row).length === 0;
  return lacksMarks && aboveInReturned(view, parent) !== null ? said('lacks-marks', row, parent) : null;
};

/** A fork that runs on in the same program image does the work of its parent. */
const isWorker = ({ evidence }: View, row: ProcessRow, parent: ProcessRow): boolean => {
  const { image } = evidence.surroundings(row);
  return image !== undefined && image === evidence.surroundings(parent).image;
};

/**
 * A process of a kernel session without a leader is still in that of its tool call: a look saw the
 * shell that led it, or that shell noted itself. A daemon that forked itself twice looks the same
 * where neither is known.
 */
const isInSessionOfCall = ({ evidence }: View, row: ProcessRow, entry: Pick<LedgerEntry, 'root'> | null): boolean => {
  if (entry?.root.pid === Number(row.sid)) return true;
  const descent = evidence.descentOf?.(row) ?? null;
  return descent?.from === 'agent' && descent.proof.kind === 'agent-word';
};

/**
 * A daemon has left the kernel session of its tool call, or its environment, and the call has
 * returned: no tool shell is above it any more. What it starts from then on as another program, in
 * a kernel session of its own, any of its clients may have asked for.
 */
const askedOfDaemon = (
  view: View,
  row: ProcessRow,
  parent: ProcessRow,
  entry: Pick<LedgerEntry, 'root'> | null,
): string | null => {
  if (!leadsSession(row) || row.windows !== undefined || Number(parent.sid) === 0) return null;
  const above = aboveInReturned(view, parent);
  if (above === null) return null;
  const leader = above.find((one) => Number(one.pid) === Number(parent.sid));
  const isMarked = view.evidence.claims(parent).length > 0;
  if (leader === undefined && isMarked && isInSessionOfCall(view, parent, entry)) return null;
  const daemon = leader ?? above.at(-1) ?? parent;
  const isOwnChild = row.startTicks - daemon.startTicks <= ownChildSeconds * view.table.ticksPerSecond;
  return isOwnChild || isWorker(view, row, parent) ? null : said('asked-of-daemon', row, parent);
};

/** What an earlier look saw of the job that this process was a member of. */
const remembered = ({ ledger }: View, row: ProcessRow): string | null =>
  [ledger.byIdentity(row), ledger.byGroup(row), ledger.bySession(row), ledger.byStarter(row)].find(
    (entry) => entry?.users !== undefined,
  )?.users ?? null;

/**
 * Says which member the user may have given to a job, whatever witnessed the rest; null: none. Once
 * seen it stays so: what the user left there looks like any other member later.
 */
export const usersPart = (view: View, members: Membership['members'], entry: LedgerEntry | null): string | null => {
  const rows = new Set(members.map(({ row }) => row));
  for (const row of rows) {
    const parent = view.tree.row(row.ppid);
    const told =
      remembered(view, row) ??
      (parent === undefined || !rows.has(parent) || hasEnded(parent)
        ? null
        : (worksOnTerminal(view, row, parent) ??
          hasOthersEnvironment(view, row, parent) ??
          askedOfDaemon(view, row, parent, entry)));
    if (told !== null) return told;
  }
  return entry?.users ?? null;
};
