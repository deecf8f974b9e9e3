import type { FoundHolder, FoundPort } from '../../app/documents/port.ts';
import { asPid } from '../../app/process/identity.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import type { MemberFacts } from '../../app/process/facts.ts';
import type { Look } from '../observing/look.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import { devLocksIn } from './dev-locks.ts';
import { worktreeOf } from './worktree.ts';

const socketInode = (target: string): string | null =>
  /^socket:\[(?<inode>\d+)\]$/u.exec(target)?.groups?.['inode'] ?? null;

/** The processes of the user by the sockets that they hold. */
const bySocket = (
  rows: readonly ProcessRow[],
  facts: ReadonlyMap<number, MemberFacts>,
): ReadonlyMap<string, ProcessRow> =>
  new Map(
    rows.flatMap((row) =>
      (facts.get(row.pid)?.openFiles ?? []).flatMap(({ target }) => {
        const inode = socketInode(target);
        return inode === null ? [] : [[inode, row] as const];
      }),
    ),
  );

/** Ports that are listed, the lowest first. */
const maxPorts = 1_000;

/** A process that listens on ports of this machine: a sandbox may have ports of its own. */
interface Listener {
  readonly row: ProcessRow;
  readonly ports: readonly number[];
}

const holderOf = (look: Look, { row }: Listener, fact: MemberFacts | undefined): FoundHolder => {
  const cwd = fact?.cwd ?? null;
  const cwdDeleted = fact?.cwdDeleted === true;
  return {
    row,
    cwd,
    cwdDeleted,
    worktree: cwd === null || cwdDeleted ? null : worktreeOf(cwd, row.uid ?? look.table.uid),
    judged: [...look.jobs.values()].find(({ job }) => job.members.some((member) => member.row.pid === row.pid)) ?? null,
  };
};

/** The folders in which a holder may have taken the lock of a development server. */
const foldersOf = ({ cwd, cwdDeleted, judged }: FoundHolder): readonly string[] =>
  [cwdDeleted ? null : cwd, judged?.job.project ?? null].filter((folder) => folder !== null);

/**
 * Returns which of the user's processes listen on ports, and which are connected to them. Reads the
 * open files of all processes of the user; signals nothing.
 * @param asked null: every port on which one listens, by number
 * @param here a folder whose locks of development servers count as well; null: none
 * @throws ProcessTableUnreadable
 */
export const readPorts = (
  look: Look,
  source: ProcessSource,
  asked: readonly number[] | null,
  here: string | null = null,
): readonly FoundPort[] => {
  const { table } = look;
  const rows = [...table.rows.values()].filter(({ uid, kernelThread }) => uid === table.uid && !kernelThread);
  const facts = source.facts(rows);
  const listeners = rows.flatMap((row): Listener[] => {
    const ports = (facts.get(row.pid)?.ports ?? []).filter((port) => asked?.includes(port) !== false);
    return ports.length === 0 || source.listening?.isShared(row.pid) === false ? [] : [{ row, ports }];
  });
  const holding = bySocket(rows, facts);
  const uses = (
    source.sockets?.possibleClients(
      listeners.map(({ row: { pid }, ports }) => ({
        pid,
        files: facts.get(pid)?.openFiles ?? null,
        ports: new Set(ports),
      })),
    ) ?? []
  ).flat();
  const clientsOf = (port: number, own: ReadonlySet<number>): FoundPort['clients'] => {
    const seen = new Map<string, FoundPort['clients'][number]>();
    for (const { by, at, from, peers, holders: pids } of uses) {
      if (by !== 'connection' || at !== `port ${port}`) continue;
      const client = pids?.map((pid) => table.rows.get(asPid(pid)))[0] ?? peers?.map((peer) => holding.get(peer))[0];
      if (client !== undefined && own.has(Number(client.pid))) continue;
      seen.set(`${client?.pid} ${from}`, { from, pid: client?.pid ?? null, name: client?.comm ?? null });
    }
    return [...seen.values()];
  };
  const locks = devLocksIn(look, source.pidNamespace);
  // One process may listen on thousands.
  const held = new Map<number, FoundHolder[]>();
  for (const one of listeners) {
    const holder = holderOf(look, one, facts.get(one.row.pid));
    for (const port of one.ports) held.set(port, [...(held.get(port) ?? []), holder]);
  }
  const numbers = asked ?? [...held.keys()].toSorted((a, b) => a - b).slice(0, maxPorts);
  return numbers.map((port): FoundPort => {
    const holders = held.get(port) ?? [];
    return {
      port,
      inUse: holders.length > 0 ? true : (source.portsInUse()?.has(port) ?? null),
      holders,
      clients: clientsOf(port, new Set(holders.map(({ row: { pid } }) => Number(pid)))),
      locks: locks([...holders.flatMap(foldersOf), ...(here === null ? [] : [here])]),
    };
  });
};

/**
 * The same of one port.
 * @throws ProcessTableUnreadable
 */
export const readPort = (look: Look, source: ProcessSource, port: number, here: string | null = null): FoundPort => {
  const [found] = readPorts(look, source, [port], here);
  if (found === undefined) throw new TypeError('a port was asked for, and none was read');
  return found;
};
