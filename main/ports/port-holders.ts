import type { FoundHolder, FoundPort } from '../../app/documents/port.ts';
import { asPid } from '../../app/process/identity.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import type { MemberFacts } from '../../app/process/facts.ts';
import type { Look } from '../observing/look.ts';
import type { ProcessSource } from '../os/processes/source.ts';
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

/** Whether a process listens on a port of this machine: a sandbox may have ports of its own. */
export const listensHere = (
  source: ProcessSource,
  facts: MemberFacts | undefined,
  { pid }: ProcessRow,
  port: number,
): boolean => facts?.ports.includes(port) === true && source.sharesNetwork?.(pid) !== false;

/**
 * Returns which of the user's processes listen on a port, and which are connected to it. Reads the
 * open files of all processes of the user; signals nothing.
 * @throws ProcessTableUnreadable
 */
export const readPort = (look: Look, source: ProcessSource, port: number): FoundPort => {
  const { table } = look;
  const rows = [...table.rows.values()].filter(({ uid, kernelThread }) => uid === table.uid && !kernelThread);
  const facts = source.facts(rows);
  const listening = rows.filter((row) => listensHere(source, facts.get(row.pid), row, port));
  const holders = listening.map((row): FoundHolder => {
    const fact = facts.get(row.pid);
    const cwd = fact?.cwd ?? null;
    const cwdDeleted = fact?.cwdDeleted === true;
    return {
      row,
      cwd,
      cwdDeleted,
      worktree: cwd === null || cwdDeleted ? null : worktreeOf(cwd, row.uid ?? table.uid),
      judged:
        [...look.jobs.values()].find(({ job }) => job.members.some((member) => member.row.pid === row.pid)) ?? null,
    };
  });
  const ports = new Set([port]);
  const asked = listening.map(({ pid }) => ({ pid, files: facts.get(pid)?.openFiles ?? null, ports }));
  const holding = bySocket(rows, facts);
  const own = new Set(listening.map(({ pid }) => Number(pid)));
  const seen = new Map<string, FoundPort['clients'][number]>();
  for (const { by, at, from, peers, holders: pids } of (
    (source.sockets ?? source.probing)?.possibleClients(asked) ?? []
  ).flat()) {
    if (by !== 'connection' || at !== `port ${port}`) continue;
    const client = pids?.map((pid) => table.rows.get(asPid(pid)))[0] ?? peers?.map((peer) => holding.get(peer))[0];
    if (client !== undefined && own.has(Number(client.pid))) continue;
    seen.set(`${client?.pid} ${from}`, { from, pid: client?.pid ?? null, name: client?.comm ?? null });
  }
  return {
    port,
    inUse: holders.length > 0 ? true : (source.portsInUse?.().has(port) ?? null),
    holders,
    clients: [...seen.values()],
  };
};
