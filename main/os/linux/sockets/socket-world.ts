import type { OpenFile } from '../../../../app/process/facts.ts';
import type { NetworkTable } from './network-table.ts';
import type { LocalSocket } from './unix-table.ts';

/**
 * The sockets of a machine's processes at one scan. What is not visible is unknown, never absent.
 */
export interface SocketWorld {
  /** Returns TCP and UDP in the network namespace of a process, or null if they can't be seen. */
  network(pid: number): NetworkTable | null;
  /** Returns the paths on which local sockets of this namespace listen, by inode. */
  listeningPaths(pid: number): ReadonlyMap<string, string>;
  /** Returns a local socket; null if it is none or can't be seen. */
  local(pid: number, inode: string): LocalSocket | null;
  /**
   * Returns what a socket is that is in neither table: `closed`, or `machine` for netlink and
   * packets. Null if unknown.
   */
  isNoConnection(pid: number, file: OpenFile, inode: string): 'closed' | 'machine' | null;
  /**
   * Returns the inodes of all other local sockets in the namespace of a process that may be the
   * peer of this one, or null if unknown.
   */
  otherEnds(pid: number, socket: LocalSocket): readonly string[] | null;
  /**
   * Returns the inodes of the local sockets that send to this one, which never accepts, or null if
   * unknown.
   */
  senders(pid: number, inode: string): readonly string[] | null;
  /** Returns the paths of displays that have clients in the network namespace of a process. */
  displays(pid: number): readonly string[];
  compositorSockets(): ReadonlySet<string>;
}
