import type { Connection } from '../../../../app/diagnose/probe.ts';
import { addressText, noInode, type TcpSocket } from '../sock-diag/inet.ts';

export interface NetworkRow extends Connection {
  readonly protocol: 'tcp' | 'udp' | 'raw';
  /** As in include/net/tcp_states.h, two hexadecimal digits. */
  readonly state: string;
  /** Seconds since it was closed on both sides (TIME_WAIT); left out in other states. */
  readonly closedSeconds?: number;
}

/** How long the kernel remembers a closed connection: TCP_TIMEWAIT_LEN of include/net/tcp.h. */
const rememberedSeconds = 60;
const timeWait = '06';

const closedBefore = (state: string, leftSeconds: number): Pick<NetworkRow, 'closedSeconds'> =>
  state === timeWait ? { closedSeconds: Math.max(0, rememberedSeconds - leftSeconds) } : {};

export interface NetworkTable {
  readonly rows: readonly NetworkRow[];
  /** By inode. */
  readonly byInode: ReadonlyMap<string, NetworkRow>;
  /** The socket at a connection's other end in this namespace, by both addresses. */
  readonly byEnds: ReadonlyMap<string, NetworkRow>;
  /** TCP ports with a listener. */
  readonly listening: ReadonlySet<number>;
  /** False if a part was unreadable or cut off: a socket not in it may exist all the same. */
  readonly complete: boolean;
}

export const established = '01';
export const listens = '0A';
/** UDP: it receives from any sender. */
export const unconnected = '07';
/** FIN_WAIT1, FIN_WAIT2 and CLOSE_WAIT: one side has finished sending and may still receive. */
const connectedStates: ReadonlySet<string> = new Set([established, '04', '05', '08']);

const wordsOf = (hex: string): readonly number[] =>
  (hex.match(/[0-9A-F]{8}/gu) ?? []).flatMap((word) =>
    [6, 4, 2, 0].map((at) => Number.parseInt(word.slice(at, at + 2), 16)),
  );

/**
 * Returns an address such as `0100007F:1F90` in the usual notation: each word of four bytes is in
 * the machine's order, which is little-endian on x86 and arm. An IPv4 address inside IPv6 is
 * written as IPv4. Null if it is invalid.
 */
const addressOf = (text: string): string | null => {
  const [, hex = '', port = ''] = /^([0-9A-F]{8}|[0-9A-F]{32}):([0-9A-F]{4})$/u.exec(text) ?? [];
  if (hex === '') return null;
  return addressText(wordsOf(hex), Number.parseInt(port, 16));
};

/**
 * Returns the rows in the text of /proc/net/tcp, tcp6, udp, udp6, raw or icmp: addresses, the two
 * queues and times in hexadecimal, `tr` 2 while the keepalive timer runs.
 * https://docs.kernel.org/networking/proc_net_tcp.html
 * @param only rows in this state; null: all
 */
export const networkRowsIn = (
  text: string,
  protocol: NetworkRow['protocol'],
  only: string | null = null,
): readonly NetworkRow[] =>
  text.split('\n').flatMap((line) => {
    const [, local = '', remote = '', state = '', queues = '', timer = '', , , , inode = ''] = line
      .trim()
      .split(/\s+/u);
    if (!/^[0-9A-F]{2}$/u.test(state) || !/^\d+$/u.test(inode) || (only !== null && only !== state)) return [];
    const from = addressOf(local);
    const to = addressOf(remote);
    if (from === null || to === null) return [];
    const [sent = '', unread = ''] = queues.split(':');
    // In hundredths of a second (USER_HZ).
    const leftSeconds = Number.parseInt(timer.split(':')[1] ?? '', 16) / 100 || 0;
    return [
      {
        protocol,
        inode,
        state,
        local: from,
        remote: to,
        keptAlive: timer.startsWith('02:'),
        unacknowledgedBytes: Number.parseInt(sent, 16) || 0,
        unreadBytes: Number.parseInt(unread, 16) || 0,
        ...closedBefore(state, leftSeconds),
      },
    ];
  });

export const rowOf = ({ state, timerMs, ...socket }: TcpSocket): NetworkRow => {
  const name = state.toString(16).toUpperCase().padStart(2, '0');
  return { protocol: 'tcp', ...socket, state: name, ...closedBefore(name, timerMs / 1000) };
};

/** Returns host and port of `10.0.0.7:443` or `[2001:db8::1]:443`. */
export const endOf = (address: string): { readonly host: string; readonly port: number } => {
  const at = address.lastIndexOf(':');
  return { host: address.slice(0, at), port: Number(address.slice(at + 1)) };
};

export const isLoopback = (host: string): boolean => host.startsWith('127.') || host === '[::1]';

/** Returns whether a TCP connection may still receive. */
export const isConnected = ({ protocol, state }: NetworkRow): boolean =>
  protocol === 'tcp' && connectedStates.has(state);

/** The same, and for one that its client has asked for and that is not answered yet (SYN_RECV). */
export const isConnectedOrRequested = (row: NetworkRow): boolean =>
  isConnected(row) || (row.protocol === 'tcp' && row.state === '03');

/** Returns whether a closed connection was one to one of these ports of this machine. */
export const wasConnectedTo = ({ state, local, remote }: NetworkRow, ports: ReadonlySet<number>): boolean => {
  const [own, other] = [endOf(local), endOf(remote)];
  const isHere = isLoopback(other.host) || other.host === own.host;
  return state === timeWait && (ports.has(own.port) || (isHere && ports.has(other.port)));
};

/** Returns whether both sides of a TCP connection may send. */
export const isEstablished = ({ protocol, state }: NetworkRow): boolean => protocol === 'tcp' && state === established;

export const isListening = ({ protocol, state }: NetworkRow): boolean => protocol === 'tcp' && state === listens;

export const isConnectedUdp = ({ protocol, state }: NetworkRow): boolean => protocol === 'udp' && state === established;

/** Returns the ports of the sockets that take connections or datagrams from anyone, by inode. */
export const listeningPorts = (rows: readonly NetworkRow[]): ReadonlyMap<string, number> =>
  new Map(
    rows
      .filter((row) => isListening(row) || (row.protocol === 'udp' && row.state === unconnected))
      .map(({ inode, local }) => [inode, endOf(local).port] as const)
      .filter(([inode, port]) => inode !== noInode && port > 0),
  );

/** Indexes the rows of one namespace. */
export const networkTable = (rows: readonly NetworkRow[], complete: boolean): NetworkTable => ({
  rows,
  complete,
  byInode: new Map(rows.filter(({ inode }) => inode !== noInode).map((row) => [row.inode, row])),
  byEnds: new Map(rows.filter(isConnected).map((row) => [`${row.local} ${row.remote}`, row])),
  listening: new Set(rows.filter(isListening).map(({ local }) => endOf(local).port)),
});

/** The first ephemeral port: net.ipv4.ip_local_port_range's default (docs.kernel.org). */
const firstOwnPort = 32_768;

/**
 * Returns whether the other side made the connection, by its ports: the side with a listener was
 * connected to. If neither has a listener any more, it counts as made by the other side.
 */
export const isServed = ({ local, remote }: NetworkRow, { listening }: Pick<NetworkTable, 'listening'>): boolean => {
  const own = endOf(local).port;
  const other = endOf(remote);
  if (listening.has(own)) return true;
  const isHere = isLoopback(other.host) || other.host === endOf(local).host;
  if (isHere) return !listening.has(other.port);
  return own < firstOwnPort;
};
