import { attributesIn } from './messages.ts';

export interface UnixSocket {
  readonly inode: string;
  readonly type: 'stream' | 'datagram' | 'packets';
  readonly listens: boolean;
  readonly connected: boolean;
  /**
   * The path to which it, or the listener that accepted it, is bound; abstract names begin with
   * `@`; null if unbound.
   */
  readonly name: string | null;
  /** The other end. `closed`: that end was closed. `none`: not connected, or not accepted yet. */
  readonly peer: { readonly inode: string } | 'closed' | 'none';
  /** A listener's sockets (inodes) that wait to be accepted, their process not having ended. */
  readonly waiting: readonly string[];
}

/** struct unix_diag_msg and unix_diag_req: include/uapi/linux/unix_diag.h. */
const messageBytes = 16;
const requestBytes = 24;
const families = { unix: 1 } as const;
const types: Readonly<Record<number, UnixSocket['type']>> = { 1: 'stream', 2: 'datagram', 5: 'packets' };
/** UNIX_DIAG_NAME, _PEER, _ICONS, _SHUTDOWN. */
const attribute = { name: 0, peer: 2, waiting: 3, shutdown: 6 } as const;
/** UDIAG_SHOW_NAME, _PEER, _ICONS. */
const show = 0x1 | 0x4 | 0x8;
/** TCP_ESTABLISHED and TCP_LISTEN, which local sockets use too. */
const state = { connected: 1, listens: 10 } as const;

/** Returns a request for one local socket by its inode, or for all (null). */
export const unixRequest = (inode: number | null): Uint8Array => {
  const bytes = new Uint8Array(requestBytes);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, families.unix);
  view.setUint32(4, 0xff_ff_ff_ff, true);
  view.setUint32(8, inode ?? 0, true);
  view.setUint32(12, show, true);
  // No cookie: any socket that has that inode now.
  bytes.fill(0xff, 16, 24);
  return bytes;
};

const nameOf = (bytes: Uint8Array): string => {
  const text = Buffer.from(bytes).toString('utf8');
  return text.startsWith('\0') ? `@${text.slice(1)}` : text.replace(/\0.*$/su, '');
};

/** Parses one message of an answer; null if it is invalid. Never throws. */
export const unixSocketIn = (payload: Uint8Array): UnixSocket | null => {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  if (payload.length < messageBytes || view.getUint8(0) !== families.unix) return null;
  const type = types[view.getUint8(1)];
  const attributes = attributesIn(payload, messageBytes);
  if (type === undefined || attributes === null) return null;
  const name = attributes.get(attribute.name);
  const peer = attributes.get(attribute.peer);
  const shutdown = attributes.get(attribute.shutdown);
  const waiting = attributes.get(attribute.waiting) ?? new Uint8Array();
  if ((peer !== undefined && peer.length !== 4) || waiting.length % 4 !== 0) return null;
  const peerInode = peer === undefined ? 0 : new DataView(peer.buffer, peer.byteOffset, 4).getUint32(0, true);
  const isShut = shutdown?.[0] === 3;
  const wait = new DataView(waiting.buffer, waiting.byteOffset, waiting.byteLength);
  return {
    inode: String(view.getUint32(4, true)),
    type,
    listens: view.getUint8(2) === state.listens,
    connected: view.getUint8(2) === state.connected,
    name: name === undefined || name.length === 0 ? null : nameOf(name),
    // The kernel reports 0 for a closed end and for one not accepted yet; only the first shuts this
    // socket.
    peer: peerInode !== 0 ? { inode: String(peerInode) } : isShut ? 'closed' : 'none',
    waiting: Array.from({ length: waiting.length / 4 }, (_, at) => String(wait.getUint32(at * 4, true))).filter(
      (inode) => inode !== '0',
    ),
  };
};
