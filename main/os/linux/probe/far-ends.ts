import { readlinkSync } from 'node:fs';
import { openSockDiag } from '../sock-diag/kernel.ts';
import { farEndOfPipe } from '../sockets/pipe-end.ts';

/** Whether the other side of a channel is still held by a process. */
export type FarEnd = 'open' | 'closed' | 'unknown' | 'not-a-channel';

/** Asks the kernel about the other side of open files. Reads and writes nothing. */
export interface FarEnds {
  /**
   * Returns what is known of the other side of one descriptor of a process; `peer` is the inode of
   * the other socket of a pair, null where it is closed, or a pipe.
   */
  of(pid: number, fd: number): { readonly far: FarEnd; readonly peer: string | null };
}

/**
 * Whether the other socket of a pair is gone. Not in this network namespace, or gone itself:
 * unknown, never closed. A socket with a name is no such channel: its server may accept another
 * client.
 */
const ofSocket = (inode: string): { readonly far: FarEnd; readonly peer: string | null } => {
  const unknown = { far: 'unknown', peer: null } as const;
  const sockets = openSockDiag();
  const socket = sockets?.unixSocket(inode) ?? null;
  if (socket === null || socket.name !== null || socket.listens) return unknown;
  if (socket.peer === 'closed') return { far: 'closed', peer: null };
  if (socket.peer === 'none') return unknown;
  const { inode: peer } = socket.peer;
  return sockets?.unixSocket(peer)?.name === null ? { far: 'open', peer } : unknown;
};

/** The kernel of this machine. */
export const farEndsHere: FarEnds = {
  of: (pid, fd) => {
    let target: string;
    try {
      target = readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      return { far: 'unknown', peer: null };
    }
    const inode = /^socket:\[(\d+)\]$/u.exec(target)?.[1];
    if (inode !== undefined) return ofSocket(inode);
    if (!/^pipe:\[\d+\]$/u.test(target)) return { far: 'not-a-channel', peer: null };
    return { far: farEndOfPipe(pid, fd, target, fd === 0), peer: null };
  },
};
