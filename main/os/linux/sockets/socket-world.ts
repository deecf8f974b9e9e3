import type { OpenFile } from '../../../../app/process/facts.ts';
import type { NetworkTable } from './network-table.ts';
import type { LocalSocket } from './unix-table.ts';

/** What a machine tells of the sockets of its processes at one look. What it does not tell is unknown, never absent. */
export interface SocketWorld {
  /** TCP and UDP in the network namespace of a process; null where it can't be seen. */
  network(pid: number): NetworkTable | null;
  /** A local socket; null where it is none, or can't be seen. */
  local(pid: number, inode: string): LocalSocket | null;
  /**
   * What a socket is that is in neither table and to which no process is connected: `closed`, or one through which its process speaks with the
   * machine (netlink, packets). null where that is not known.
   */
  isNoConnection(pid: number, file: OpenFile, inode: string): 'closed' | 'machine' | null;
  /** Inodes of all other local sockets in the namespace of a process that may be the other end of one of its; null where that can't be told. */
  otherEnds(pid: number, socket: LocalSocket): readonly string[] | null;
  /** Inodes of the local sockets that send to this one, which never accepts; null where that can't be told. */
  senders(pid: number, inode: string): readonly string[] | null;
  /** Paths of displays that have clients in the network namespace of a process. */
  displays(pid: number): readonly string[];
  /** Inodes of the sockets that programs hold which put windows on a screen. */
  compositorSockets(): ReadonlySet<string>;
}
