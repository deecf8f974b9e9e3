import type { Connection } from '../../../../app/diagnose/probe.ts';

const ipv6Text = (bytes: readonly number[]): string => {
  const groups: string[] = [];
  for (let at = 0; at < 16; at += 2) groups.push((((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)).toString(16));
  return groups.join(':').replace(/(?:^|:)0(?::0)+(?::|$)/u, '::');
};

/**
 * Returns 4 or 16 bytes of an address and a port in the usual notation, such as `127.0.0.1:80` or
 * `[::1]:80`. An IPv4 address inside IPv6 is written as IPv4.
 */
export const addressText = (bytes: readonly number[], port: number): string => {
  const mapped =
    bytes.length === 16 && bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  if (bytes.length === 4 || mapped) return `${bytes.slice(-4).join('.')}:${port}`;
  return `[${ipv6Text(bytes)}]:${port}`;
};

/** The inode of a socket without a process: not yet accepted, or closed by its process. */
export const noInode = '0';

/** A TCP socket in any state; its inode may be `noInode`. */
export interface TcpSocket extends Connection {
  /** As in include/net/tcp_states.h. */
  readonly state: number;
  /** Until its timer runs out, milliseconds. */
  readonly timerMs: number;
}

/** struct inet_diag_req_v2 and inet_diag_msg: include/uapi/linux/inet_diag.h. */
const requestBytes = 56;
const messageBytes = 72;
const inodeAt = 68;
const protocolTcp = 6;
/** Offsets in inet_diag_msg; ports and addresses are in the network's byte order. */
const at = {
  state: 1,
  timer: 2,
  localPort: 4,
  remotePort: 6,
  local: 8,
  remote: 24,
  expires: 52,
  unread: 56,
  unsent: 60,
} as const;
const addressBytes: Readonly<Record<number, 4 | 16>> = { 2: 4, 10: 16 };
/** The keepalive timer (tcp_diag_fill in net/ipv4/inet_diag.c). */
const keepalive = 2;

/** TCP_NEW_SYN_RECV, which is written as SYN_RECV. */
const newRequest = 12;

const only = (...states: readonly number[]): number => states.reduce((bits, state) => bits | (1 << state), 0);

export const tcpStates = {
  all: only(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, newRequest),
  listening: only(10),
  established: only(1),
} as const;

/** Returns a request for the TCP sockets of one family in those states. */
export const tcpRequest = (family: 4 | 6, states: keyof typeof tcpStates): Uint8Array => {
  const bytes = new Uint8Array(requestBytes);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, family === 4 ? 2 : 10);
  view.setUint8(1, protocolTcp);
  view.setUint32(4, tcpStates[states], true);
  return bytes;
};

/** Parses one message of an answer; null if it is invalid. Never throws. */
export const tcpSocketIn = (payload: Uint8Array): TcpSocket | null => {
  const length = addressBytes[payload[0] ?? 0];
  if (payload.length < messageBytes || length === undefined) return null;
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  const address = (from: number, port: number): string =>
    addressText([...payload.subarray(from, from + length)], view.getUint16(port));
  return {
    inode: String(view.getUint32(inodeAt, true)),
    state: view.getUint8(at.state),
    local: address(at.local, at.localPort),
    remote: address(at.remote, at.remotePort),
    keptAlive: view.getUint8(at.timer) === keepalive,
    timerMs: view.getUint32(at.expires, true),
    unacknowledgedBytes: view.getUint32(at.unsent, true),
    unreadBytes: view.getUint32(at.unread, true),
  };
};
