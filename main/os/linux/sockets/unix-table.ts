import type { UnixSocket } from '../sock-diag/unix.ts';

/** A local socket as far as it is known; the other end is not visible everywhere. */
export interface LocalSocket extends Omit<UnixSocket, 'peer' | 'waiting'> {
  readonly peer: UnixSocket['peer'] | 'unknown';
  /** `unknown`: some are connected and not accepted yet, and it is not visible which. */
  readonly waiting: UnixSocket['waiting'] | 'unknown';
}

const types: Readonly<Record<string, UnixSocket['type']>> = { '0001': 'stream', '0002': 'datagram', '0005': 'packets' };

/** The flag SO_ACCEPTCON as the table prints it: the socket listens. */
const accepts = '00010000';
const connected = '03';
/**
 * A connection that was not accepted yet: it has the name of the socket that listens, no inode, and
 * the state SS_CONNECTING (unix_seq_show of net/unix/af_unix.c).
 */
const connecting = '02';

/**
 * A socket of which two lines tell: a name may hold a line break, and what looks like a line behind
 * it. All that counts is that something may be connected to it.
 */
const toldTwice = (inode: string): LocalSocket => ({
  inode,
  type: 'stream',
  listens: false,
  connected: true,
  name: null,
  peer: 'unknown',
  waiting: 'unknown',
});

/**
 * Returns the local sockets in the text of /proc/net/unix: number, reference count, protocol,
 * flags, type, state, inode, path. It lacks the other ends.
 * https://man7.org/linux/man-pages/man5/proc_pid_net.5.html
 */
export const localSocketsIn = (text: string): ReadonlyMap<string, LocalSocket> => {
  const sockets = new Map<string, LocalSocket>();
  const waitedFor = new Set<string>();
  for (const line of text.split('\n')) {
    const [, flags, kind = '', state, inode, name] =
      /^[0-9a-f]+: [0-9A-F]+ [0-9A-F]+ ([0-9A-F]+) ([0-9A-F]{4}) ([0-9A-F]{2}) +(\d+)(?: (.+))?$/u.exec(line) ?? [];
    const type = types[kind];
    if (inode === '0' && state === connecting && name !== undefined) waitedFor.add(name);
    if (inode === undefined || inode === '0' || type === undefined) continue;
    const one: LocalSocket = {
      inode,
      type,
      listens: flags === accepts,
      connected: state === connected,
      name: name ?? null,
      peer: state === connected ? 'unknown' : 'none',
      waiting: [],
    };
    sockets.set(inode, sockets.has(inode) ? toldTwice(inode) : one);
  }
  for (const [inode, socket] of sockets)
    if (socket.listens && waitedFor.has(socket.name ?? '')) sockets.set(inode, { ...socket, waiting: 'unknown' });
  return sockets;
};

/** The other ends of local sockets by inode: 0 is a closed one, null one that two lines tell of. */
export type Peers = ReadonlyMap<string, string | null>;

/**
 * Returns the other end of each local socket by inode, from the output of `ss -xHn`: `… PATH INODE
 * PATH INODE`, `*` for no path.
 * @param form of a line, with both numbers
 */
export const peersIn = (text: string, form = /\s(\d+) \S+ (\d+)\s*$/u): Peers => {
  const peers = new Map<string, string | null>();
  for (const line of text.split('\n')) {
    const [, inode, peer] = form.exec(line) ?? [];
    if (inode !== undefined && peer !== undefined) peers.set(inode, peers.has(inode) ? null : peer);
  }
  return peers;
};

/** Returns a socket with its other end as ss reports it. */
export const withPeer = (socket: LocalSocket, peers: Peers | null): LocalSocket => {
  const peer = peers?.get(socket.inode);
  if (socket.peer !== 'unknown' || peer === undefined || peer === null) return socket;
  return { ...socket, peer: peer === '0' ? 'closed' : { inode: peer } };
};

const listeningPaths = new WeakMap<ReadonlyMap<string, LocalSocket>, ReadonlyMap<string, string>>();

/** Returns the paths of the sockets that listen, by inode. Gathered once for each table. */
export const listeningPathsIn = (sockets: ReadonlyMap<string, LocalSocket>): ReadonlyMap<string, string> => {
  let paths = listeningPaths.get(sockets);
  if (paths === undefined) {
    paths = new Map(
      [...sockets].flatMap(([inode, { listens, name }]) => (listens && name !== null ? [[inode, name] as const] : [])),
    );
    listeningPaths.set(sockets, paths);
  }
  return paths;
};

/** Returns the inodes of all other local sockets that may be the peer of this one. */
export const otherEndsIn = (sockets: ReadonlyMap<string, LocalSocket>, socket: LocalSocket): readonly string[] =>
  [...sockets.values()].flatMap(({ inode, connected: isConnected, name }) =>
    isConnected && inode !== socket.inode && (name === null || name !== socket.name) ? [inode] : [],
  );

/** Returns the inodes of the sockets whose other end is this one, or may be. */
export const sendersIn = (peers: Peers, inode: string): readonly string[] =>
  [...peers].flatMap(([one, peer]) => (peer === inode || peer === null ? [one] : []));
