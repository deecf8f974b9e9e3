import { closeSync } from 'node:fs';
import { getSystemErrorMap } from 'node:util';
import { loadKoffi } from './native/koffi.ts';

/** Where journald takes records: https://systemd.io/JOURNAL_NATIVE_PROTOCOL/ */
const journalSocket = '/run/systemd/journal/socket';

/** AF_UNIX; SOCK_DGRAM, _CLOEXEC, _NONBLOCK; MSG_DONTWAIT, _NOSIGNAL. socket(2), send(2) */
const unixFamily = 1;
const datagramSocket = 2 | 0o2000000 | 0o4000;
const neverWaits = 0x40 | 0x4000;

/** What came of a record. */
export type JournalAnswer = { readonly sent: true } | { readonly sent: false; readonly why: string };

interface Sockets {
  socket(family: number, type: number, protocol: number): number;
  sendto(fd: number, bytes: Uint8Array, length: number, flags: number, to: Uint8Array, toLength: number): number;
  errno(): number;
}

let bound: Sockets | string | null = null;

const bind = (): Sockets | string => {
  if (process.platform !== 'linux') return 'only Linux has a journald';
  const koffi = loadKoffi();
  if ('reason' in koffi) return `it can only be reached with koffi, which is missing here: ${koffi.reason}`;
  const library = koffi.load(null);
  const parameters = ['int', 'void *', 'ulong', 'int', 'void *', 'uint'];
  return {
    socket: library.func('socket', 'int', ['int', 'int', 'int']) as Sockets['socket'],
    sendto: library.func('sendto', 'long', parameters) as Sockets['sendto'],
    errno: () => koffi.errno(),
  };
};

/** struct sockaddr_un: the family in the machine's byte order, then the path. unix(7) */
const addressOf = (path: string): Uint8Array => {
  const family = new Uint8Array(new Uint16Array([unixFamily]).buffer);
  return Buffer.concat([family, Buffer.from(`${path}\0`)]);
};

/**
 * Returns fields in the form of journald's protocol. All values go in the form for any bytes, with
 * their length, so that none can begin another field.
 */
const journalDatagram = (fields: readonly (readonly [string, string])[]): Uint8Array =>
  Buffer.concat(
    fields.flatMap(([name, value]) => {
      const bytes = Buffer.from(value);
      const length = Buffer.alloc(8);
      length.writeBigUInt64LE(BigInt(bytes.length));
      return [Buffer.from(`${name}\n`), length, bytes, Buffer.from('\n')];
    }),
  );

const failure = (errno: number): JournalAnswer => {
  const [name, text] = getSystemErrorMap().get(-errno) ?? [`error ${errno}`, 'unknown'];
  return { sent: false, why: `${journalSocket}: ${text} (${name})` };
};

/**
 * Hands a record to journald, as one datagram on a socket of its own: nothing stays open, and a
 * journald that was restarted gets the next one. Never waits: a full queue is an answer (EAGAIN).
 * Through koffi, because Node has no datagrams on Unix sockets; the packages that add them
 * (unix-dgram) are native modules that have to be compiled on every machine.
 */
export const sendToJournald = (fields: readonly (readonly [string, string])[]): JournalAnswer => {
  bound ??= bind();
  if (typeof bound === 'string') return { sent: false, why: bound };
  const fd = bound.socket(unixFamily, datagramSocket, 0);
  if (fd < 0) return failure(bound.errno());
  try {
    const bytes = journalDatagram(fields);
    const to = addressOf(journalSocket);
    const sent = bound.sendto(fd, bytes, bytes.length, neverWaits, to, to.length);
    return sent === bytes.length ? { sent: true } : failure(bound.errno());
  } finally {
    closeSync(fd);
  }
};
