import { closeSync, constants, openSync, readlinkSync } from 'node:fs';
import { loadKoffi } from '../../native/koffi.ts';
import { openSockDiag } from '../sock-diag/kernel.ts';

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

/** O_PATH of asm-generic, which x86 and arm have. */
const pathOnly = 0o10_000_000;
/** POLLERR | POLLHUP: https://man7.org/linux/man-pages/man2/poll.2.html */
const pollHangUp = 0x10;
const pollError = 0x8;

type Poll = (descriptors: Uint8Array, count: number, timeoutMs: number) => number;

let bound: Poll | null | undefined;

const openPoll = (): Poll | null => {
  if (bound !== undefined) return bound;
  bound = null;
  const koffi = loadKoffi();
  if ('reason' in koffi) return bound;
  try {
    bound = koffi.load(null).func('poll', 'int', ['void *', 'ulong', 'int']) as Poll;
  } catch {
    // A C library without it: the answer stays unknown.
  }
  return bound;
};

/** The returned events of one descriptor, without waiting; null when the kernel gives none. */
const eventsOf = (poll: Poll, descriptor: number): number | null => {
  const request = new Uint8Array(8);
  const view = new DataView(request.buffer);
  view.setInt32(0, descriptor, true);
  return poll(request, 1, 0) < 0 ? null : view.getInt16(6, true);
};

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/**
 * Whether the other side of a pipe is gone: no writer of the one that is read, no reader of the one
 * that is written. The pipe is pinned first (O_PATH), so that the descriptor can't come to mean
 * another one in between; opening it for writing where no reader is left fails with ENXIO.
 * https://man7.org/linux/man-pages/man7/fifo.7.html
 */
const ofPipe = (pid: number, fd: number, target: string, side: 'read' | 'write'): FarEnd => {
  const poll = openPoll();
  if (poll === null) return 'unknown';
  let pinned: number | null = null;
  let reopened: number | null = null;
  try {
    pinned = openSync(`/proc/${pid}/fd/${fd}`, pathOnly);
    if (readlinkSync(`/proc/self/fd/${pinned}`) !== target) return 'unknown';
    const access = side === 'read' ? constants.O_RDONLY : constants.O_WRONLY;
    reopened = openSync(`/proc/self/fd/${pinned}`, access | constants.O_NONBLOCK);
    const events = eventsOf(poll, reopened);
    if (events === null) return 'unknown';
    return (events & (side === 'read' ? pollHangUp : pollError)) === 0 ? 'open' : 'closed';
  } catch (error) {
    return side === 'write' && codeOf(error) === 'ENXIO' ? 'closed' : 'unknown';
  } finally {
    if (reopened !== null) closeSync(reopened);
    if (pinned !== null) closeSync(pinned);
  }
};

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
    return { far: ofPipe(pid, fd, target, fd === 0 ? 'read' : 'write'), peer: null };
  },
};
