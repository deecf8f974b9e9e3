import { readdirSync, readlinkSync } from 'node:fs';
import type { InputChannel } from '../../../../app/sessions-view/costs.ts';
import { refusalOf } from '../proc/proc-reader.ts';
import { openSockDiag } from '../sock-diag/kernel.ts';

/** At most this many open files of agents are read. */
const maxLinks = 20_000;

const channel = /^(?<kind>socket|pipe):\[(?<inode>\d+)\]$/u;

const linkOf = (path: string): string | null => {
  try {
    return readlinkSync(path);
  } catch (error) {
    refusalOf(error, path);
    return null;
  }
};

const descriptorsOf = (pid: number): readonly string[] => {
  try {
    return readdirSync(`/proc/${pid}/fd`);
  } catch (error) {
    refusalOf(error, `/proc/${pid}/fd`);
    return [];
  }
};

/** Returns which of these processes hold which pipes and sockets, by what /proc shows of both. */
const holdersOf = (pids: Iterable<number>): ReadonlyMap<string, Set<number>> => {
  const holders = new Map<string, Set<number>>();
  let links = 0;
  for (const pid of pids) {
    for (const fd of descriptorsOf(pid)) {
      // Standard streams of an agent are its client's, not its servers'.
      if (Number(fd) < 3) continue;
      if (++links > maxLinks) return holders;
      const target = linkOf(`/proc/${pid}/fd/${fd}`);
      if (target === null || !channel.test(target)) continue;
      const known = holders.get(target);
      if (known === undefined) holders.set(target, new Set([pid]));
      else known.add(pid);
    }
  }
  return holders;
};

/**
 * Returns the standard inputs of processes that are private channels, with the agents at the other
 * end: those that hold the same pipe, or the peer of the socket. Where the kernel doesn't tell a
 * peer, the holders are unknown. Reads only; opens none of them.
 * @throws ProcessTableUnreadable
 */
export const inputChannels = (
  pids: Iterable<number>,
  agents: ReadonlySet<number>,
): ReadonlyMap<number, InputChannel> => {
  const holders = holdersOf(agents);
  const found = new Map<number, InputChannel>();
  const diag = openSockDiag();
  for (const pid of pids) {
    const target = linkOf(`/proc/${pid}/fd/0`);
    const { kind, inode = '' } = (target === null ? null : channel.exec(target))?.groups ?? {};
    if (target === null || kind === undefined) continue;
    if (kind === 'pipe') {
      found.set(pid, { id: target, holders: holders.get(target) ?? new Set() });
      continue;
    }
    const socket = diag?.unixSocket(inode) ?? null;
    if (socket === null) found.set(pid, { id: target, holders: null });
    // What listens or was accepted on a path is no private channel.
    else if (socket.name === null) {
      const peer = typeof socket.peer === 'object' ? `socket:[${socket.peer.inode}]` : null;
      found.set(pid, { id: target, holders: (peer === null ? undefined : holders.get(peer)) ?? new Set() });
    }
  }
  return found;
};
