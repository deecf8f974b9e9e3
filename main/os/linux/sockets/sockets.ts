import type { Connection } from '../../../../app/diagnose/probe.ts';
import { kept } from '../../../../app/format/kept.ts';
import { inodeOf } from '../proc/boot.ts';
import type { ProcReader } from '../proc/proc-reader.ts';
import { noInode } from '../sock-diag/inet.ts';
import {
  established,
  listeningPorts,
  listens,
  type NetworkRow,
  networkRowsIn,
  rowOf,
  unconnected,
} from './network-table.ts';
import { namespaceOf, tcpOf } from './tcp-table.ts';

/** Upper bound of one table of sockets in bytes: about 50,000 lines. */
const tableBytes = 8_388_608;

/** Sockets by network namespace; one scan reads each table once. Unreadable counts as empty. */
export class SocketTables {
  readonly #reader: ProcReader;
  readonly #listening = new Map<string, ReadonlyMap<string, number>>();
  readonly #established = new Map<string, ReadonlyMap<string, Connection>>();

  constructor(reader: ProcReader) {
    this.#reader = reader;
  }

  /**
   * Returns the ports by inode of the listening sockets that a process can hold: those of its own
   * network namespace, which for a sandbox or container isn't ours.
   * @throws ProcessTableUnreadable
   */
  listening(pid: number): ReadonlyMap<string, number> {
    return kept(this.#listening, namespaceOf(pid), () =>
      listeningPorts([
        ...(tcpOf(pid, 'listening')?.map(rowOf) ?? this.#texts(pid, 'tcp', listens)),
        ...this.#texts(pid, 'udp', unconnected),
      ]),
    );
  }

  /**
   * Returns established connections by socket inode, as the process itself sees the network.
   * @throws ProcessTableUnreadable
   */
  established(pid: number): ReadonlyMap<string, Connection> {
    return kept(this.#established, namespaceOf(pid), () => {
      const rows = tcpOf(pid, 'established')?.map(rowOf) ?? this.#texts(pid, 'tcp', established);
      return new Map(rows.filter(({ inode }) => inode !== noInode).map((row) => [row.inode, row]));
    });
  }

  #texts(pid: number, protocol: 'tcp' | 'udp', state: string): readonly NetworkRow[] {
    return [protocol, `${protocol}6`].flatMap((file) =>
      networkRowsIn(this.#reader.readText(`/proc/${pid}/net/${file}`, tableBytes) ?? '', protocol, state),
    );
  }
}

/** Returns the inode of a socket's open file (`socket:[513449]`); null for other files. */
export const socketInode = (target: string): string | null => (target.startsWith('socket:') ? inodeOf(target) : null);
