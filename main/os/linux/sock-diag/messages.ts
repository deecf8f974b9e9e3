/**
 * Netlink framing of a kernel on a little-endian machine: each message has a length, a type, flags,
 * a sequence number and a port; it and its attributes are padded to four bytes.
 * https://man7.org/linux/man-pages/man7/netlink.7.html
 */
const headerBytes = 16;
const attributeHeaderBytes = 4;

/** Message types: include/uapi/linux/netlink.h and sock_diag.h. */
const noop = 1;
const failure = 2;
const done = 3;
/** SOCK_DIAG_BY_FAMILY. */
export const byFamily = 20;

/** NLM_F_DUMP_INTR: the table changed meanwhile; sockets may be missing or repeated. */
const interruptedFlag = 0x10;

/** The content of one datagram of an answer. */
export type Batch =
  | {
      readonly kind: 'messages';
      readonly payloads: readonly Uint8Array[];
      /** The last message. Only a dump has an end; a question about one socket has one answer. */
      readonly isLast: boolean;
      readonly interrupted: boolean;
    }
  | { readonly kind: 'refused'; readonly errno: number }
  | { readonly kind: 'malformed' };

const padded = (length: number): number => (length + 3) & ~3;

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/**
 * Parses one datagram of an answer. Never throws: a cut or invalid one is `malformed`.
 * @param sequence the number of the question
 */
export const batchIn = (bytes: Uint8Array, sequence: number): Batch => {
  const view = viewOf(bytes);
  const payloads: Uint8Array[] = [];
  let interrupted = false;
  for (let at = 0; at < bytes.length;) {
    if (at + headerBytes > bytes.length) return { kind: 'malformed' };
    const length = view.getUint32(at, true);
    const type = view.getUint16(at + 4, true);
    if (length < headerBytes || at + length > bytes.length || view.getUint32(at + 8, true) !== sequence)
      return { kind: 'malformed' };
    interrupted ||= (view.getUint16(at + 6, true) & interruptedFlag) !== 0;
    if (type === failure || type === done) {
      // Both carry a negated error number; a successful dump ends with 0.
      if (length < headerBytes + 4) return { kind: 'malformed' };
      const errno = -view.getInt32(at + headerBytes, true);
      if (errno !== 0) return { kind: 'refused', errno };
      return { kind: 'messages', payloads, isLast: true, interrupted };
    }
    if (type === byFamily) payloads.push(bytes.subarray(at + headerBytes, at + length));
    else if (type !== noop) return { kind: 'malformed' };
    at += padded(length);
  }
  return { kind: 'messages', payloads, isLast: false, interrupted };
};

/**
 * Returns the attributes of a message by type; null if they are invalid. Of several of a type the
 * last counts.
 * @param from offset of the first attribute
 */
export const attributesIn = (payload: Uint8Array, from: number): ReadonlyMap<number, Uint8Array> | null => {
  const view = viewOf(payload);
  const attributes = new Map<number, Uint8Array>();
  if (payload.length < from) return null;
  for (let at = from; at < payload.length;) {
    if (at + attributeHeaderBytes > payload.length) return null;
    const length = view.getUint16(at, true);
    if (length < attributeHeaderBytes || at + length > payload.length) return null;
    // The two upper bits are flags (nested, byte order).
    attributes.set(view.getUint16(at + 2, true) & 0x3fff, payload.subarray(at + attributeHeaderBytes, at + length));
    at += padded(length);
  }
  return attributes;
};

export const question = (payload: Uint8Array, sequence: number, flags: number): Uint8Array => {
  const bytes = new Uint8Array(headerBytes + payload.length);
  const view = viewOf(bytes);
  view.setUint32(0, bytes.length, true);
  view.setUint16(4, byFamily, true);
  view.setUint16(6, flags, true);
  view.setUint32(8, sequence, true);
  bytes.set(payload, headerBytes);
  return bytes;
};

/** NLM_F_REQUEST, and with NLM_F_ROOT | NLM_F_MATCH for all sockets. */
export const askOne = 0x1;
export const askAll = 0x301;
