import type { OpenFile } from '../../../../app/process/facts.ts';
import type { NetworkTable } from './network-table.ts';
import type { LocalSocket } from './unix-table.ts';

/** The sockets of processes at one scan. What is not visible is unknown, never absent. */
export interface SocketWorld {
  /** Returns TCP and UDP in the network namespace of a process, or null if they can't be seen. */
  network(pid: number): NetworkTable | null;
  /** Returns the paths on which local sockets of this namespace listen, by inode. */
  listeningPaths(pid: number): ReadonlyMap<string, string>;
  /** Returns a local socket; null if it is none or can't be seen. */
  local(pid: number, inode: string): LocalSocket | null;
  /** Returns what is in neither table: `closed`, or `machine` (netlink, packets). Null: unknown. */
  isNoConnection(pid: number, file: OpenFile, inode: string): 'closed' | 'machine' | null;
  /** Returns inodes of other local sockets in its namespace that may be its peer; null: unknown. */
  otherEnds(pid: number, socket: LocalSocket): readonly string[] | null;
  /** Returns inodes of local sockets sending to this one, which never accepts; null: unknown. */
  senders(pid: number, inode: string): readonly string[] | null;
  /** Returns the paths of displays that have clients in the network namespace of a process. */
  displays(pid: number): readonly string[];
  compositorSockets(): ReadonlySet<string>;
}
