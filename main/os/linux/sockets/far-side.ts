import type { FarEnd, HeldChannel } from '../../../../app/process/channels.ts';
import type { OpenFile } from '../../../../app/process/facts.ts';
import type { PipeEnd } from '../../../../app/diagnose/probe.ts';
import { accessIn } from '../proc/access.ts';
import type { ProcReader } from '../proc/proc-reader.ts';
import type { SockDiag } from '../sock-diag/kernel.ts';
import { farEndOfPipe } from './pipe-end.ts';
import { socketInode } from './sockets.ts';
import type { LocalSocket } from './unix-table.ts';

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

/** Asks the kernel anew with every question. */
export const askingKernel = (diag: SockDiag | null, reader: ProcReader): FarSideTools => ({
  socket: (inode) => diag?.unixSocket(inode) ?? null,
  protocolOf: (pid, fd) => diag?.protocolOf(pid, fd) ?? null,
  access: (pid, fd) => accessIn(reader.readText(`/proc/${pid}/fdinfo/${fd}`, 4_096) ?? ''),
  polled: farEndOfPipe,
});
