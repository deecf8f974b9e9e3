import { readlinkSync } from 'node:fs';
import type { Connection } from '../../../../app/diagnose/probe.ts';
import { inodeOf } from '../proc/boot.ts';
import type { ProcReader } from '../proc/proc-reader.ts';

/** Upper bound of one table in bytes: about 50,000 lines. */
const tableBytes = 8_388_608;

const wordsOf = (hex: string): readonly number[] =>
  (hex.match(/[0-9A-F]{8}/gu) ?? []).flatMap((word) =>
    [6, 4, 2, 0].map((at) => Number.parseInt(word.slice(at, at + 2), 16)),
  );

const ipv6Text = (bytes: readonly number[]): string => {
  const groups: string[] = [];
  for (let at = 0; at < 16; at += 2) groups.push((((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)).toString(16));
  return groups.join(':').replace(/(?:^|:)0(?::0)+(?::|$)/u, '::');
};

/**
 * Returns an address such as `0100007F:1F90` in the usual notation: each word of four bytes is in
 * the machine's order, which is little-endian on x86 and arm. An IPv4 address inside IPv6 is
 * written as IPv4. Null if it is invalid.
 */
export const addressOf = (text: string): string | null => {
  const [, hex = '', port = ''] = /^([0-9A-F]{8}|[0-9A-F]{32}):([0-9A-F]{4})$/u.exec(text) ?? [];
  if (hex === '') return null;
  const bytes = wordsOf(hex);
  const number = Number.parseInt(port, 16);
  const mapped =
    bytes.length === 16 && bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  if (bytes.length === 4 || mapped) return `${bytes.slice(-4).join('.')}:${number}`;
  return `[${ipv6Text(bytes)}]:${number}`;
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
    let namespace: string;
    try {
      const link = readlinkSync(`/proc/${pid}/ns/net`);
      namespace = inodeOf(link) ?? link;
    } catch {
      namespace = `of ${pid}`;
    }
    const known = this.#byNamespace.get(namespace);
    if (known !== undefined) return known;
    const connections = new Map<string, Connection>();
    for (const file of ['tcp', 'tcp6']) {
      const text = this.#reader.readText(`/proc/${pid}/net/${file}`, tableBytes);
      if (text !== null) addEstablished(text, connections);
    }
    this.#byNamespace.set(namespace, connections);
    return connections;
  }
}
