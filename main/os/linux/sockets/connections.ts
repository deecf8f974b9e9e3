import type { Connection } from '../../../../app/diagnose/probe.ts';
import type { ProcReader } from '../proc/proc-reader.ts';
import { addressText, noInode } from '../sock-diag/inet.ts';
import { namespaceOf, tcpOf } from './tcp-table.ts';

/** Upper bound of one table in bytes: about 50,000 lines. */
const tableBytes = 8_388_608;

const wordsOf = (hex: string): readonly number[] =>
  (hex.match(/[0-9A-F]{8}/gu) ?? []).flatMap((word) =>
    [6, 4, 2, 0].map((at) => Number.parseInt(word.slice(at, at + 2), 16)),
  );

/**
 * Returns an address such as `0100007F:1F90` in the usual notation: each word of four bytes is in
 * the machine's order, which is little-endian on x86 and arm. An IPv4 address inside IPv6 is
 * written as IPv4. Null if it is invalid.
 */
export const addressOf = (text: string): string | null => {
  const [, hex = '', port = ''] = /^([0-9A-F]{8}|[0-9A-F]{32}):([0-9A-F]{4})$/u.exec(text) ?? [];
  if (hex === '') return null;
  return addressText(wordsOf(hex), Number.parseInt(port, 16));
};

/**
 * Adds the established connections in the text of /proc/net/tcp or tcp6: state 01, queues in
 * hexadecimal, `tr` 2 while the keepalive timer runs.
 * https://docs.kernel.org/networking/proc_net_tcp.html
 */
export const addEstablished = (text: string, connections: Map<string, Connection>): void => {
  for (const line of text.split('\n').slice(1)) {
    const [, local = '', remote = '', state, queues = '', timer = '', , , , inode] = line.trim().split(/\s+/u);
    if (state !== '01' || inode === undefined || inode === '0') continue;
    const to = addressOf(remote);
    const from = addressOf(local);
    const [sent = '', unread = ''] = queues.split(':');
    if (to === null || from === null) continue;
    connections.set(inode, {
      inode,
      remote: to,
      local: from,
      keptAlive: timer.startsWith('02:'),
      unacknowledgedBytes: Number.parseInt(sent, 16) || 0,
      unreadBytes: Number.parseInt(unread, 16) || 0,
    });
  }
};

/**
 * Established connections by network namespace; each table is read at most once. One for each scan.
 */
export class ConnectionTables {
  readonly #reader: ProcReader;
  readonly #byNamespace = new Map<string, ReadonlyMap<string, Connection>>();

  constructor(reader: ProcReader) {
    this.#reader = reader;
  }

  /**
   * Returns connections by socket inode, as the process itself sees the network.
   * @throws ProcessTableUnreadable
   */
  of(pid: number): ReadonlyMap<string, Connection> {
    const namespace = namespaceOf(pid);
    const known = this.#byNamespace.get(namespace);
    if (known !== undefined) return known;
    const connections = new Map<string, Connection>();
    const told = tcpOf(pid, 'established');
    for (const { inode, remote, local, keptAlive, unacknowledgedBytes, unreadBytes } of told ?? []) {
      if (inode !== noInode)
        connections.set(inode, { inode, remote, local, keptAlive, unacknowledgedBytes, unreadBytes });
    }
    if (told === null) this.#addTexts(pid, connections);
    this.#byNamespace.set(namespace, connections);
    return connections;
  }

  #addTexts(pid: number, connections: Map<string, Connection>): void {
    for (const file of ['tcp', 'tcp6']) {
      const text = this.#reader.readText(`/proc/${pid}/net/${file}`, tableBytes);
      if (text !== null) addEstablished(text, connections);
    }
  }
}
