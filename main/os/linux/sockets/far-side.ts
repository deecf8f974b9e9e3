import { closeSync, constants, fstatSync, openSync, readlinkSync } from 'node:fs';
import type { PipeEnd } from '../../../../app/diagnose/probe.ts';
import { once } from '../../../../app/format/once.ts';
import type { FarEnd, HeldChannel } from '../../../../app/process/channels.ts';
import type { OpenFile } from '../../../../app/process/facts.ts';
import { boundOrNull } from '../../native/koffi.ts';
import { accessIn } from '../proc/open-files.ts';
import type { ProcReader } from '../proc/proc-reader.ts';
import { openSockDiag, type SockDiag } from '../sock-diag/kernel.ts';
import { socketInode } from './sockets.ts';
import type { LocalSocket } from './unix-table.ts';

/** O_PATH of asm-generic, which x86 and arm64 share. */
const onlyPath = 0o10_000_000;
/** poll(2): include/uapi/asm-generic/poll.h. */
const events = { in: 1, out: 4, error: 8, hangUp: 16 } as const;

type Poll = (descriptors: Uint8Array, count: number, timeoutMs: number) => number;

/** Null: pipes are unknown then. */
const openPoll = once(() =>
  boundOrNull((koffi) => koffi.load(null).func('poll', 'int', ['void *', 'ulong', 'int']) as Poll),
);

const polled = (poll: Poll, fd: number, reads: boolean): FarEnd => {
  const asked = new Uint8Array(8);
  const view = new DataView(asked.buffer);
  view.setInt32(0, fd, true);
  view.setInt16(4, reads ? events.in : events.out, true);
  if (poll(asked, 1, 0) < 0) return 'unknown';
  const found = view.getInt16(6, true);
  return (found & (reads ? events.hangUp : events.error)) === 0 ? 'open' : 'closed';
};

/**
 * Returns whether any process still holds the other end of a pipe: POLLHUP says that there is no
 * writer, POLLERR that there is no reader (pipe(7), poll(2)). Held by O_PATH first, so that what is
 * opened is what was looked at. Reads nothing out of it. Measured: 0.06 ms.
 * @param target what the link of the descriptor says: `pipe:[…]`
 */
const farEndOfPipe = (
  pid: number,
  fd: number,
  target: string,
  reads: boolean,
  poll: Poll | null = openPoll(),
): FarEnd => {
  if (poll === null) return 'unknown';
  let held: number | null = null;
  let own: number | null = null;
  try {
    held = openSync(`/proc/${pid}/fd/${fd}`, onlyPath);
    const link = `/proc/self/fd/${held}`;
    if (!fstatSync(held).isFIFO() || readlinkSync(link) !== target) return 'unknown';
    own = openSync(link, (reads ? constants.O_RDONLY : constants.O_WRONLY) | constants.O_NONBLOCK);
    return polled(poll, own, reads);
  } catch {
    // Gone, or not ours to open: nothing is known of it.
    return 'unknown';
  } finally {
    if (own !== null) closeSync(own);
    if (held !== null) closeSync(held);
  }
};

export type FarSide =
  | { readonly kind: 'channel'; readonly channel: HeldChannel }
  /** A socket with a path, or a connection to one; `listens`: its name where it is the listener. */
  | { readonly kind: 'named'; readonly listens: string | null }
  /** No private channel: not connected, or of another protocol. */
  | { readonly kind: 'other' }
  /** It can't be asked, which proves nothing. */
  | { readonly kind: 'unknown' };

export interface FarSideTools {
  /** A local socket by its inode; null where it is not in the kernel's table. */
  readonly socket: (inode: string) => Pick<LocalSocket, 'inode' | 'listens' | 'name' | 'peer'> | null;
  readonly protocolOf: SockDiag['protocolOf'];
  /** How a descriptor was opened; null where that can't be read. */
  readonly access: (pid: number, fd: number) => PipeEnd['access'] | null;
  readonly polled: (pid: number, fd: number, target: string, reads: boolean) => FarEnd;
}

const unknown: FarSide = { kind: 'unknown' };

const ofSocket = (tools: FarSideTools, pid: number, { fd, target }: OpenFile, inode: string): FarSide => {
  const socket = tools.socket(inode);
  if (socket === null) {
    const protocol = tools.protocolOf(pid, fd);
    // A local socket that is not in the table is another network namespace's.
    return protocol === null || protocol.startsWith('UNIX') ? unknown : { kind: 'other' };
  }
  if (socket.listens) return { kind: 'named', listens: socket.name ?? 'a local socket' };
  // Its server may accept another client.
  if (socket.name !== null) return { kind: 'named', listens: null };
  if (socket.peer === 'none') return { kind: 'other' };
  if (socket.peer === 'unknown') return unknown;
  const pair = { fd, kind: 'pair', end: target } as const;
  if (socket.peer === 'closed') return { kind: 'channel', channel: { ...pair, otherEnd: null, far: 'closed' } };
  const peer = tools.socket(socket.peer.inode);
  if (peer === null) return unknown;
  // Its own connection to a service.
  if (peer.name !== null) return { kind: 'named', listens: null };
  return { kind: 'channel', channel: { ...pair, otherEnd: `socket:[${peer.inode}]`, far: 'open' } };
};

const ofPipe = (tools: FarSideTools, pid: number, { fd, target }: OpenFile): FarSide => {
  const access = tools.access(pid, fd);
  if (access === null) return unknown;
  const reads = access !== 'write';
  // One descriptor for both directions holds its own other end.
  const far: FarEnd = access === 'both' ? 'open' : tools.polled(pid, fd, target, reads);
  const [own, other] = reads ? (['read', 'write'] as const) : (['write', 'read'] as const);
  const otherEnd = far === 'open' ? `${target} ${other}` : null;
  return { kind: 'channel', channel: { fd, kind: 'pipe', end: `${target} ${own}`, otherEnd, far } };
};

/**
 * Returns the other side of an open file; null for what is neither socket nor pipe. The one place
 * that asks: for servers, for agents out of reach and for the costs of sessions. Reads and writes
 * nothing. What is not found (another network namespace, no koffi) is unknown, never closed.
 */
export const farSideOf = (tools: FarSideTools, pid: number, file: OpenFile): FarSide | null => {
  const inode = socketInode(file.target);
  if (inode !== null) return ofSocket(tools, pid, file, inode);
  return file.target.startsWith('pipe:') ? ofPipe(tools, pid, file) : null;
};

/**
 * Returns the names of the ends of sockets and pipes that a descriptor is, without asking for the
 * other side: two for a pipe that is open both ways.
 */
export const endsOf = (
  tools: Pick<FarSideTools, 'access'>,
  pid: number,
  { fd, target }: OpenFile,
): readonly string[] => {
  if (socketInode(target) !== null) return [target];
  if (!target.startsWith('pipe:')) return [];
  const access = tools.access(pid, fd);
  if (access === null) return [];
  return access === 'both' ? [`${target} read`, `${target} write`] : [`${target} ${access}`];
};

/**
 * Asks the kernel anew with every question.
 * @param openDiag is called at the first question only: it loads koffi, 12 ms of processor time
 */
export const askingKernel = (reader: ProcReader, openDiag: () => SockDiag | null = openSockDiag): FarSideTools => ({
  socket: (inode) => openDiag()?.unixSocket(inode) ?? null,
  protocolOf: (pid, fd) => openDiag()?.protocolOf(pid, fd) ?? null,
  access: (pid, fd) => accessIn(reader.readText(`/proc/${pid}/fdinfo/${fd}`, 4_096) ?? ''),
  polled: farEndOfPipe,
});
