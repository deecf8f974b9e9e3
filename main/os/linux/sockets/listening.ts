import type { ProcessRow } from '../../../../app/process/row.ts';
import type { Listening } from '../../processes/source.ts';
import { pathOfNamespace } from '../proc/boot.ts';
import { openFilesOf } from '../proc/open-files.ts';
import type { ProcReader } from '../proc/proc-reader.ts';
import type { RunMarks } from '../proc/run-marks.ts';
import { socketInode, SocketTables } from './sockets.ts';
import { namespaceOf } from './tcp-table.ts';

export interface ListeningTools {
  readonly reader: ProcReader;
  readonly runs: RunMarks;
  /** Number of the scan: the tables of sockets are read once in each. */
  readonly scans: () => number;
  /** See `ProcessSource`: null where the pid is another process by now. */
  readonly confirmed: <Fact>(row: ProcessRow, fact: Fact) => Fact | null;
}

/** Asks single processes for the ports on which they listen. */
export class ListeningProcesses implements Listening {
  readonly #tools: ListeningTools;
  #latest: { readonly scan: number; readonly tables: SocketTables };
  /** What held no socket when it was asked for its ports, and its mark of a moment before. */
  readonly #socketless = new WeakMap<ProcessRow, { readonly mark: string; readonly ports: readonly number[] }>();

  constructor(tools: ListeningTools) {
    this.#tools = tools;
    this.#latest = { scan: -1, tables: new SocketTables(tools.reader) };
  }

  ports(row: ProcessRow, from: 'fresh' | 'kept'): readonly number[] {
    const { reader, runs, scans, confirmed } = this.#tools;
    const mark = from === 'fresh' ? null : runs.read(row.pid);
    const kept = mark === null ? undefined : this.#socketless.get(row);
    if (kept !== undefined && kept.mark === mark) return kept.ports;
    if (this.#latest.scan !== scans()) this.#latest = { scan: scans(), tables: new SocketTables(reader) };
    const files = openFilesOf(row.pid);
    const inodes = (files ?? []).flatMap(({ target }) => socketInode(target) ?? []);
    const table = inodes.length === 0 ? null : this.#latest.tables.listening(row.pid);
    const ports = confirmed(row, [...new Set(inodes.flatMap((inode) => table?.get(inode) ?? []))]);
    // Without a socket it must run to listen; one that it holds another process can begin to use.
    if (mark !== null && files !== null && inodes.length === 0 && ports !== null)
      this.#socketless.set(row, { mark, ports });
    return ports ?? [];
  }

  isShared(pid: number): boolean {
    return namespaceOf(pid) === pathOfNamespace('self', 'net');
  }
}
