import { asPid } from '../../process/identity.ts';
import { hasEnded, type ProcessRow } from '../../process/row.ts';
import { parentsOf } from '../../process/tree.ts';
import { isDrivenBrowser } from '../servers/driven-browser.ts';
import { hasChannel } from '../lineage/adopting.ts';
import { lineageOf } from '../lineage/lineage.ts';
import type { TableView } from '../lineage/table-view.ts';
import { type LedgerEntry, readPipe } from '../ledger/ledger.ts';
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

const isCallShell = ({ profileOf }: View, row: ProcessRow): boolean =>
  !hasEnded(row) && profileOf(row).claims.some(({ shell }) => shell !== null);

/** What started it, and what is above that; null while its tool call goes on. */
const aboveInReturned = (view: View, parent: ProcessRow): readonly ProcessRow[] | null => {
  const { end, chain } = lineageOf(view, parent);
  const above = [parent, ...chain];
  return end !== null || above.some((one) => isCallShell(view, one)) ? null : above;
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

type Known = Pick<LedgerEntry, 'root' | 'pipeReaders'> | null;

/** It can be asked for something through a named pipe: it reads one, or a look saw that it did. */
const readsPipe = ({ evidence }: View, row: ProcessRow, entry: Known): boolean =>
  evidence.surroundings(row).readsPipe === true || readPipe(entry, row);

/** A fork in the same program image, or what takes the same requests, does its parent's work. */
const isWorker = ({ evidence }: View, row: ProcessRow, parent: ProcessRow): boolean => {
  const [own, above] = [evidence.surroundings(row), evidence.surroundings(parent)];
  if (own.image !== undefined && own.image === above.image) return true;
  return own.listens?.some((name) => above.listens?.includes(name) === true) === true;
};

/**
 * Its parent speaks with it: a compiler beside a dev server, a browser that a test drives, a worker
 * with a channel of its own (Node's `fork` gives it a pair of sockets, Python's spawned processes a
 * pipe). A queue may read what the user's job prints, so one of the standard ends says that only of
 * what can't be asked.
 */
const isHelper = (view: View, row: ProcessRow, parent: ProcessRow, can: 'be-asked' | 'not-be-asked'): boolean => {
  if (isDrivenBrowser(row) || isDrivenBrowser(parent)) return true;
  if (can === 'not-be-asked') return hasChannel(view, row, parent, ({ fd }) => fd <= 2);
  return view.evidence.isHeldBy?.(row, parent) === true || hasChannel(view, row, parent, ({ fd }) => fd > 2);
};

/**
 * A process of a kernel session without a leader is still in that of its tool call: a look saw the
 * shell that led it, or that shell noted itself. A daemon that forked itself twice looks the same
 * where neither is known.
 */
const isInSessionOfCall = ({ evidence }: View, row: ProcessRow, entry: Known): boolean => {
  if (entry?.root.pid === Number(row.sid)) return true;
  const descent = evidence.descentOf?.(row) ?? null;
  return descent?.from === 'agent' && descent.proof.kind === 'agent-word';
};

/** It, and those above whose work it does: some fork for a client and speak with that fork. */
const workersFrom = (view: View, row: ProcessRow, members: readonly ProcessRow[]): readonly ProcessRow[] => {
  const found = [row];
  for (const above of parentsOf(row, view.table.rows)) {
    const one = found.at(-1) ?? row;
    const worksFor = isWorker(view, one, above) || isHelper(view, one, above, 'be-asked');
    if (!members.includes(above) || hasEnded(above) || !worksFor) break;
    found.push(above);
  }
  return found;
};

/**
 * A member that other programs may ask for something, and what it, or what works for it, starts a
 * second after it or later: any of its clients may have asked for it. What listens can be asked,
 * also while its call goes on, and whatever session its answer is in; not so what it speaks with.
 * So can what reads a named pipe, be it a loop in the text of the call itself.
 * What takes requests in another way can't be told. So what starts another program in a kernel
 * session of its own may have been asked for it: a daemon, which has left the session of its call
 * or its environment, once the call has returned; one in that session once its agent is gone or the
 * shell has ended, and where it holds no end of what it started.
 */
const askedOfDaemon = (
  view: View,
  row: ProcessRow,
  parent: ProcessRow,
  entry: Known,
  members: readonly ProcessRow[],
): string | null => {
  if (row.windows !== undefined || Number(parent.sid) === 0) return null;
  const isLate = ({ startTicks }: ProcessRow): boolean =>
    row.startTicks - startTicks > ownChildSeconds * view.table.ticksPerSecond;
  const [oldest] = members;
  if (oldest === undefined || !isLate(oldest)) return null;
  const workers = workersFrom(view, parent, members).filter(isLate);
  if (workers.length === 0) return null;
  const { end, chain } = lineageOf(view, parent);
  if (end !== null && end.program === null) return null;
  const isAsked = () => said('asked-of-daemon', row, parent);
  const isReader = workers.some((one) => readsPipe(view, one, entry));
  if (isCallShell(view, parent) && !isReader) return null;
  if (isReader || workers.some((one) => view.evidence.surroundings(one).listens !== undefined))
    return isWorker(view, row, parent) || isHelper(view, row, parent, 'be-asked') ? null : isAsked();
  if (!leadsSession(row) || end !== null || isWorker(view, row, parent)) return null;
  const above = [parent, ...chain];
  const leader = above.find((one) => Number(one.pid) === Number(parent.sid));
  const isInCall =
    leader === undefined
      ? view.evidence.claims(parent).length > 0 && isInSessionOfCall(view, parent, entry)
      : isCallShell(view, leader);
  if (isInCall) return isHelper(view, row, parent, 'not-be-asked') ? null : isAsked();
  const daemon = leader ?? above.at(-1) ?? parent;
  const isOwnChild = row.startTicks - daemon.startTicks <= ownChildSeconds * view.table.ticksPerSecond;
  return isOwnChild || above.some((one) => isCallShell(view, one)) ? null : isAsked();
};

/**
 * What came into the session or group of a server after that, and has lost its parent before any
 * look: the server may have forked it twice for a client. A tool shell that lives may have, too.
 */
const leftBesideServer = (view: View, row: ProcessRow, entry: Known, members: readonly ProcessRow[]): string | null => {
  const { table, tree, evidence, ledger } = view;
  if (row.windows !== undefined || Number(row.sid) === 0 || ledger.byIdentity(row) !== null) return null;
  const leader = tree.row(asPid(Number(row.sid)));
  const isSeen = evidence.glimpses?.().some((one) => one.pid === row.pid && one.startTicks === row.startTicks) === true;
  if (isSeen || (leader !== undefined && isCallShell(view, leader))) return null;
  const server = members.find(
    (one) =>
      row.startTicks - one.startTicks > ownChildSeconds * table.ticksPerSecond &&
      (one.sid === row.sid || one.pgid === row.pgid) &&
      (evidence.surroundings(one).listens !== undefined || readsPipe(view, one, entry)),
  );
  return server === undefined || isWorker(view, row, server) || isHelper(view, row, server, 'be-asked')
    ? null
    : said('asked-of-daemon', row, server);
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
  const rows = members.map(({ row }) => row).toSorted((left, right) => left.startTicks - right.startTicks);
  for (const row of rows) {
    const parent = view.tree.row(row.ppid);
    const told =
      remembered(view, row) ??
      (parent === undefined || !rows.includes(parent) || hasEnded(parent)
        ? leftBesideServer(view, row, entry, rows)
        : (worksOnTerminal(view, row, parent) ??
          hasOthersEnvironment(view, row, parent) ??
          askedOfDaemon(view, row, parent, entry, rows)));
    if (told !== null) return told;
  }
  return entry?.users ?? null;
};
