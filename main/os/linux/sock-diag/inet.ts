import { attributesIn } from './messages.ts';

/** The traffic of a TCP connection since it was made. */
export interface ConnectionTraffic {
  readonly inode: string;
  /** Acknowledged bytes of both directions. */
  readonly bytes: number;
}

/** struct inet_diag_req_v2 and inet_diag_msg: include/uapi/linux/inet_diag.h. */
const requestBytes = 56;
const messageBytes = 72;
const inodeAt = 68;
const protocolTcp = 6;
/**
 * INET_DIAG_INFO, whose value is a struct tcp_info (include/uapi/linux/tcp.h); newer kernels append
 * fields.
 */
const info = 2;
const ackedAt = 120;
const receivedAt = 128;
/** TCP_ESTABLISHED, FIN_WAIT1, FIN_WAIT2 and CLOSE_WAIT: bytes may still flow in one direction. */
const states = (1 << 1) | (1 << 4) | (1 << 5) | (1 << 8);

/** Returns a request for all TCP connections of one family with their figures. */
export const tcpRequest = (family: 4 | 6): Uint8Array => {
  const bytes = new Uint8Array(requestBytes);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, family === 4 ? 2 : 10);
  view.setUint8(1, protocolTcp);
  view.setUint8(2, 1 << (info - 1));
  view.setUint32(4, states, true);
  return bytes;
};

/**
 * Parses one message of an answer; null if it is invalid or has no figures (kernels before 4.1).
 * Never throws.
 */
export const tcpTrafficIn = (payload: Uint8Array): ConnectionTraffic | null => {
  if (payload.length < messageBytes) return null;
  const figures = attributesIn(payload, messageBytes)?.get(info);
  if (figures === undefined || figures.length < receivedAt + 8) return null;
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  const counted = new DataView(figures.buffer, figures.byteOffset, figures.byteLength);
  const bytes = counted.getBigUint64(ackedAt, true) + counted.getBigUint64(receivedAt, true);
  return { inode: String(view.getUint32(inodeAt, true)), bytes: Number(bytes) };
};
