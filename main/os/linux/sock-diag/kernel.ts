import { constants, endianness } from 'node:os';
import { once } from '../../../../app/format/once.ts';
import { boundOrNull } from '../../native/koffi.ts';
import { askAll, askOne, batchIn, question } from './messages.ts';
import { tcpRequest, tcpSocketIn, type TcpSocket, type tcpStates } from './inet.ts';
import { unixRequest, unixSocketIn, type UnixSocket } from './unix.ts';

/** The kernel's tables of sockets (sock_diag) of this process's network namespace. Read-only. */
export interface SockDiag {
  /** Returns one local socket by its inode; null if it is not in this namespace. */
  unixSocket(inode: string): UnixSocket | null;
  /** Returns all local sockets, or null if unknown. */
  unixSockets(): ReadonlyMap<string, UnixSocket> | null;
  /**
   * Returns the TCP sockets in those states, or null if unknown. Measured beside the text of
   * /proc/net/tcp and tcp6, for which the kernel goes through all 262,144 places of its table: 0.5
   * ms against 19.
   */
  tcp(states: keyof typeof tcpStates): readonly TcpSocket[] | null;
  /** Returns the kernel's name for an open socket's protocol (`TCP`, `NETLINK`); null: unknown. */
  protocolOf(pid: number, fd: number): string | null;
}

/** AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG: socket.h, netlink.h of Linux. */
const socketKind = [16, 3 | 0o2_000_000, 4] as const;
/** SOL_SOCKET and SO_RCVTIMEO of asm-generic, which x86 and arm have. */
const receiveTimeout = [1, 20] as const;
/** MSG_TRUNC: recv returns the full length of the datagram, which reveals a cut one. */
const tellLength = 0x20;

/** A dump's datagram has at most 32 KiB (netlink_dump, af_netlink.c); more counts as cut off. */
const datagramBytes = 131_072;
/** Timeout of one question in ms: 20,000 sockets take about 20. */
const patienceMs = 1_500;
/** At most this many sockets of one answer are held in memory. */
const maxSockets = 500_000;
/** Attempts at a table that changes while it is dumped. */
const maxTries = 3;
const sequence = 1;

interface Calls {
  socket(family: number, type: number, protocol: number): number;
  setOption(fd: number, level: number, option: number, value: Uint8Array, length: number): number;
  send(fd: number, bytes: Uint8Array, length: number, flags: number, to: Uint8Array, toLength: number): number | bigint;
  receive(fd: number, bytes: Uint8Array, length: number, flags: number): number | bigint;
  close(fd: number): number;
  attribute(path: string, name: string, value: Uint8Array, length: number): number | bigint;
  errno(): number;
}

const bindCalls = (): Calls | null => {
  // Messages are parsed in the form of a little-endian machine.
  if (process.platform !== 'linux' || endianness() !== 'LE') return null;
  return boundOrNull((koffi) => {
    const library = koffi.load(null);
    return {
      socket: library.func('socket', 'int', ['int', 'int', 'int']) as Calls['socket'],
      setOption: library.func('setsockopt', 'int', ['int', 'int', 'int', 'void *', 'uint']) as Calls['setOption'],
      send: library.func('sendto', 'long', ['int', 'void *', 'size_t', 'int', 'void *', 'uint']) as Calls['send'],
      receive: library.func('recv', 'long', ['int', 'void *', 'size_t', 'int']) as Calls['receive'],
      close: library.func('close', 'int', ['int']) as Calls['close'],
      attribute: library.func('getxattr', 'long', ['str', 'str', 'void *', 'size_t']) as Calls['attribute'],
      errno: () => koffi.errno(),
    };
  });
};

/** The result of a question: complete, complete but the table changed meanwhile, or incomplete. */
type Answer = 'whole' | 'interrupted' | 'broken';

class KernelSockets implements SockDiag {
  readonly #calls: Calls;
  readonly #buffer = new Uint8Array(datagramBytes);

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  unixSocket(inode: string): UnixSocket | null {
    const number = Number(inode);
    // Inodes have 32 bits here.
    if (!Number.isSafeInteger(number) || number <= 0 || number > 0xff_ff_ff_ff) return null;
    const found: (UnixSocket | null)[] = [];
    this.#ask(unixRequest(number), askOne, (payload) => found.push(unixSocketIn(payload)));
    return found.find((socket) => socket?.inode === inode) ?? null;
  }

  unixSockets(): ReadonlyMap<string, UnixSocket> | null {
    const found = this.#dump(unixRequest(null), unixSocketIn);
    return found === null ? null : new Map(found.map((socket) => [socket.inode, socket]));
  }

  tcp(states: keyof typeof tcpStates): readonly TcpSocket[] | null {
    const found = ([4, 6] as const).map((family) => this.#dump(tcpRequest(family, states), tcpSocketIn));
    return found.every((some) => some !== null) ? found.flat() : null;
  }

  protocolOf(pid: number, fd: number): string | null {
    const value = new Uint8Array(64);
    const length = Number(this.#calls.attribute(`/proc/${pid}/fd/${fd}`, 'system.sockprotoname', value, value.length));
    return length > 1 ? Buffer.from(value.subarray(0, length)).toString('latin1').replace(/\0.*$/su, '') : null;
  }

  #dump<Socket>(request: Uint8Array, read: (payload: Uint8Array) => Socket | null): readonly Socket[] | null {
    for (let tries = 0; tries < maxTries; tries++) {
      const found: Socket[] = [];
      let wrong = false;
      const answer = this.#ask(request, askAll, (payload) => {
        const socket = read(payload);
        if (socket === null) wrong = true;
        else found.push(socket);
      });
      if (wrong || answer === 'broken') return null;
      if (answer === 'whole') return found;
    }
    return null;
  }

  #ask(request: Uint8Array, flags: number, take: (payload: Uint8Array) => void): Answer {
    const fd = this.#calls.socket(...socketKind);
    if (fd < 0) return 'broken';
    try {
      return this.#askThrough(fd, question(request, sequence, flags), flags === askOne, take);
    } finally {
      this.#calls.close(fd);
    }
  }

  #askThrough(fd: number, asked: Uint8Array, isOne: boolean, take: (payload: Uint8Array) => void): Answer {
    const calls = this.#calls;
    const wait = new Uint8Array(16);
    new DataView(wait.buffer).setBigInt64(0, 1n, true);
    calls.setOption(fd, ...receiveTimeout, wait, wait.length);
    // The kernel's address: family, port 0.
    const kernel = new Uint8Array(12);
    kernel[0] = socketKind[0];
    if (Number(calls.send(fd, asked, asked.length, 0, kernel, kernel.length)) !== asked.length) return 'broken';
    const until = performance.now() + patienceMs;
    let sockets = 0;
    let interrupted = false;
    for (;;) {
      const length = Number(calls.receive(fd, this.#buffer, datagramBytes, tellLength));
      if (performance.now() > until) return 'broken';
      if (length < 0 && calls.errno() === constants.errno.EINTR) continue;
      if (length <= 0 || length > datagramBytes) return 'broken';
      const batch = batchIn(this.#buffer.subarray(0, length), sequence);
      if (batch.kind !== 'messages') return 'broken';
      sockets += batch.payloads.length;
      if (sockets > maxSockets) return 'broken';
      for (const payload of batch.payloads) take(payload);
      interrupted ||= batch.interrupted;
      if (isOne || batch.isLast) return interrupted ? 'interrupted' : 'whole';
    }
  }
}

/** Binds the calls through koffi, once, or returns null. Measured: 0.03 ms for one socket. */
export const openSockDiag = once((): SockDiag | null => {
  const calls = bindCalls();
  return calls === null ? null : new KernelSockets(calls);
});
