import { inodeOf } from '../proc/boot.ts';
import type { ProcReader } from '../proc/proc-reader.ts';
import { noInode } from '../sock-diag/inet.ts';
import { endOf } from './network-table.ts';
import { namespaceOf, tcpOf } from './tcp-table.ts';

/** Upper bound of one table of sockets in bytes: about 50,000 lines. */
const tableBytes = 8_388_608;

/**
 * Socket states of include/net/tcp_states.h as the tables print them: listening (TCP), unconnected
 * (UDP, which receives from any sender).
 */
const tables = [
  { file: 'tcp', state: '0A' },
  { file: 'tcp6', state: '0A' },
  { file: 'udp', state: '07' },
  { file: 'udp6', state: '07' },
] as const;

const udpTables = tables.filter(({ file }) => file.startsWith('udp'));

export type ListeningSockets = ReadonlyMap<string, number>;

/**
 * Adds the listening sockets in the text of /proc/net/tcp, tcp6, udp or udp6. Columns: number,
 * local address:port (hexadecimal), remote address:port, state, queues, timer, retransmits, uid,
 * timeout, inode. https://docs.kernel.org/networking/proc_net_tcp.html
 */
export const addListening = (text: string, state: string, ports: Map<string, number>): void => {
  for (const line of text.split('\n').slice(1)) {
    const columns = line.trim().split(/\s+/);
    if (columns[3] !== state) continue;
    const [, port = ''] = (columns[1] ?? '').split(':');
    const inode = columns[9];
    if (!/^[0-9A-F]{4}$/.test(port) || inode === undefined || inode === '0') continue;
    const number = Number.parseInt(port, 16);
    if (number > 0) ports.set(inode, number);
  }
};

/**
 * Tables of listening sockets by network namespace; each is read at most once. One for each scan.
 */
export class SocketTables {
  readonly #reader: ProcReader;
  readonly #byNamespace = new Map<string, ListeningSockets>();

  constructor(reader: ProcReader) {
    this.#reader = reader;
  }

  /**
   * Returns the listening sockets that a process can hold: those of its own network namespace,
   * which for a sandbox or container isn't ours. An unreadable table counts as empty.
   * @throws ProcessTableUnreadable
   */
  listening(pid: number): ListeningSockets {
    const namespace = namespaceOf(pid);
    const known = this.#byNamespace.get(namespace);
    if (known !== undefined) return known;
    const ports = new Map<string, number>();
    const told = tcpOf(pid, 'listening');
    for (const { inode, local } of told ?? []) if (inode !== noInode) ports.set(inode, endOf(local).port);
    for (const { file, state } of told === null ? tables : udpTables) {
      const text = this.#reader.readText(`/proc/${pid}/net/${file}`, tableBytes);
      if (text !== null) addListening(text, state, ports);
    }
    this.#byNamespace.set(namespace, ports);
    return ports;
  }
}

/**
 * Returns the inode of a socket behind an open file, such as `socket:[513449]`; null for other
 * files.
 */
export const socketInode = (target: string): string | null => (target.startsWith('socket:') ? inodeOf(target) : null);
