import { noInode, type TcpSocket } from '../sock-diag/inet.ts';
import { addressOf } from './connections.ts';

export interface NetworkRow {
  readonly protocol: 'tcp' | 'udp' | 'raw';
  readonly inode: string;
  /** As in include/net/tcp_states.h, two hexadecimal digits. */
  readonly state: string;
  readonly local: string;
  readonly remote: string;
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
  /**
   * The socket at the other end of a connection within this namespace, by local and remote address.
   */
  readonly byEnds: ReadonlyMap<string, NetworkRow>;
  /** TCP ports with a listener. */
  readonly listening: ReadonlySet<number>;
  /**
   * False if a part was unreadable or cut off: a socket that is not in it may exist all the same.
   */
  readonly complete: boolean;
}

const established = '01';
const listens = '0A';
/** FIN_WAIT1, FIN_WAIT2 and CLOSE_WAIT: one side has finished sending and may still receive. */
const connectedStates: ReadonlySet<string> = new Set([established, '04', '05', '08']);

/**
 * Returns the rows in the text of /proc/net/tcp, tcp6, udp, udp6, raw or icmp.
 * https://docs.kernel.org/networking/proc_net_tcp.html
 */
export const networkRowsIn = (text: string, protocol: NetworkRow['protocol']): readonly NetworkRow[] =>
  text.split('\n').flatMap((line) => {
    const [, local = '', remote = '', state = '', , timer = '', , , , inode = ''] = line.trim().split(/\s+/u);
    if (!/^[0-9A-F]{2}$/u.test(state) || !/^\d+$/u.test(inode)) return [];
    const from = addressOf(local);
    const to = addressOf(remote);
    if (from === null || to === null) return [];
    // In hundredths of a second (USER_HZ).
    const leftSeconds = Number.parseInt(timer.split(':')[1] ?? '', 16) / 100 || 0;
    return [{ protocol, inode, state, local: from, remote: to, ...closedBefore(state, leftSeconds) }];
  });

export const rowOf = ({ inode, state, local, remote, timerMs }: TcpSocket): NetworkRow => {
  const name = state.toString(16).toUpperCase().padStart(2, '0');
  return { protocol: 'tcp', inode, state: name, local, remote, ...closedBefore(name, timerMs / 1000) };
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

/** Indexes the rows of one namespace. */
export const networkTable = (rows: readonly NetworkRow[], complete: boolean): NetworkTable => ({
  rows,
  complete,
  byInode: new Map(rows.filter(({ inode }) => inode !== noInode).map((row) => [row.inode, row])),
  byEnds: new Map(rows.filter(isConnected).map((row) => [`${row.local} ${row.remote}`, row])),
  listening: new Set(rows.filter(isListening).map(({ local }) => endOf(local).port)),
});

/**
 * The first ephemeral port: the default of net.ipv4.ip_local_port_range.
 * https://docs.kernel.org/networking/ip-sysctl.html
 */
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
