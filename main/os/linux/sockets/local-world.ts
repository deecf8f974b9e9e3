import { readdirSync } from 'node:fs';
import { kept } from '../../../../app/format/kept.ts';
import type { OpenFile } from '../../../../app/process/facts.ts';
import { pathOfNamespace } from '../proc/boot.ts';
import { readLink } from '../proc/open-files.ts';
import { type ProcReader, unlessRefused } from '../proc/proc-reader.ts';
import { openSockDiag, type SockDiag } from '../sock-diag/kernel.ts';
import type { UnixSocket } from '../sock-diag/unix.ts';
import { socketInode } from './sockets.ts';
import { askSs } from './ss.ts';
import { displaysAmong } from './displays.ts';
import { networkRowsIn, networkTable, rowOf, type NetworkRow, type NetworkTable } from './network-table.ts';
import type { SocketWorld } from './socket-world.ts';
import { namespaceOf, tcpOf } from './tcp-table.ts';
import {
  listeningPathsIn,
  localSocketsIn,
  otherEndsIn,
  type Peers,
  peersIn,
  sendersIn,
  withPeer,
  type LocalSocket,
} from './unix-table.ts';

/** Upper bound of a kernel table, bytes: some 50,000 connections or 100,000 local sockets. */
const tableBytes = 8_388_608;

/** Beyond this many questions all are asked for at once: each searches the kernel's table. */
const maxQuestions = 64;

/** At most this many open files of display servers are read. */
const maxLinks = 20_000;

const files = [
  { file: 'tcp', protocol: 'tcp' },
  { file: 'tcp6', protocol: 'tcp' },
  { file: 'udp', protocol: 'udp' },
  { file: 'udp6', protocol: 'udp' },
  { file: 'raw', protocol: 'raw' },
  { file: 'raw6', protocol: 'raw' },
  { file: 'icmp', protocol: 'raw' },
  { file: 'icmp6', protocol: 'raw' },
] as const;

/** Protocols of sockets that are in a table while they can receive; in no table they are closed. */
const listed = /^(?:TCP|UDP|RAW|PING)(?:v6)?$|^UDP-?Lite/u;
/** Protocols between a process and the kernel or the wire, to which no other process connects. */
const ofMachine: ReadonlySet<string> = new Set(['NETLINK', 'PACKET', 'ALG', 'XDP', 'KEY']);

interface LocalTable {
  readonly sockets: ReadonlyMap<string, LocalSocket>;
  readonly complete: boolean;
}

/** Returns the inodes in the last column of /proc/net/netlink and /proc/net/packet. */
export const lastInodesIn = (text: string): readonly string[] =>
  text.split('\n').flatMap((line) => /\s(\d+)\s*$/u.exec(line)?.[1] ?? []);

/**
 * The sockets of this machine, from the tables in /proc, and what they lack from sock_diag, or else
 * from ss. One for each scan; each table is read at most once, on demand.
 */
export class LocalWorld implements SocketWorld {
  readonly #reader: ProcReader;
  readonly #compositors: () => readonly number[];
  readonly #networks = new Map<string, NetworkTable | null>();
  readonly #locals = new Map<string, LocalTable | null>();
  readonly #namespaces = new Map<number, string>();
  readonly #own = pathOfNamespace('self', 'net');
  readonly #machine = new Map<string, ReadonlySet<string>>();
  readonly #openDiag: () => SockDiag | null;
  #questions = 0;
  #all: ReadonlyMap<string, UnixSocket> | null | undefined;
  #peers: Peers | null | undefined;
  #compositorSockets: ReadonlySet<string> | null = null;

  /**
   * @param compositors returns the pids of display servers
   * @param openDiag is called at the first question only: it loads koffi, 6 ms of processor time
   */
  constructor(
    reader: ProcReader,
    compositors: () => readonly number[],
    openDiag: () => SockDiag | null = openSockDiag,
  ) {
    this.#reader = reader;
    this.#compositors = compositors;
    this.#openDiag = openDiag;
  }

  network(pid: number): NetworkTable | null {
    return kept(this.#networks, this.#namespaceOf(pid), () => this.#readNetwork(pid));
  }

  listeningPaths(pid: number): ReadonlyMap<string, string> {
    return listeningPathsIn(this.#localTable(pid)?.sockets ?? new Map());
  }

  local(pid: number, inode: string): LocalSocket | null {
    const asked = this.#ask(inode);
    if (asked !== null) return asked;
    const socket = this.#localTable(pid)?.sockets.get(inode);
    // A connection from another namespace has both ends there, so a socket in none of our tables
    // may still be a local one.
    if (socket === undefined) return null;
    return this.#isOwn(pid) && socket.peer === 'unknown' ? withPeer(socket, this.#peersOfSs()) : socket;
  }

  isNoConnection(pid: number, file: OpenFile, inode: string): 'closed' | 'machine' | null {
    const protocol = this.#openDiag()?.protocolOf(pid, file.fd) ?? null;
    if (protocol === null) return this.#ofMachine(pid).has(inode) ? 'machine' : null;
    if (ofMachine.has(protocol)) return 'machine';
    return listed.test(protocol) && this.network(pid)?.complete === true ? 'closed' : null;
  }

  otherEnds(pid: number, socket: LocalSocket): readonly string[] | null {
    const table = this.#localTable(pid);
    return table?.complete === true ? otherEndsIn(table.sockets, socket) : null;
  }

  senders(pid: number, inode: string): readonly string[] | null {
    if (!this.#isOwn(pid)) return null;
    const all = this.#askAll();
    if (all !== null)
      return [...all.values()].flatMap((one) =>
        typeof one.peer === 'object' && one.peer.inode === inode ? [one.inode] : [],
      );
    const peers = this.#peersOfSs();
    return peers === null ? null : sendersIn(peers, inode);
  }

  displays(pid: number): readonly string[] {
    return displaysAmong(this.#localTable(pid)?.sockets.values() ?? []);
  }

  compositorSockets(): ReadonlySet<string> {
    return (this.#compositorSockets ??= this.#readCompositors());
  }

  /** Returns whether its sockets are in our own network namespace: only there are peers told. */
  #isOwn(pid: number): boolean {
    return this.#own !== null && this.#namespaceOf(pid) === this.#own;
  }

  #namespaceOf(pid: number): string {
    return kept(this.#namespaces, pid, () => namespaceOf(pid));
  }

  #ask(inode: string): UnixSocket | null {
    const diag = this.#openDiag();
    if (diag !== null && ++this.#questions <= maxQuestions) return diag.unixSocket(inode);
    return this.#askAll()?.get(inode) ?? null;
  }

  #askAll(): ReadonlyMap<string, UnixSocket> | null {
    if (this.#all === undefined) this.#all = this.#openDiag()?.unixSockets() ?? null;
    return this.#all;
  }

  #peersOfSs(): Peers | null {
    if (this.#peers === undefined) {
      const text = askSs(['-xHn']);
      this.#peers = text === null ? null : peersIn(text);
    }
    return this.#peers;
  }

  #readNetwork(pid: number): NetworkTable | null {
    const told = tcpOf(pid, 'all', this.#openDiag);
    const rows: NetworkRow[] = (told ?? []).map(rowOf);
    let complete = true;
    for (const { file, protocol } of files) {
      if (told !== null && protocol === 'tcp') continue;
      const text = this.#reader.readText(`/proc/${pid}/net/${file}`, tableBytes);
      // A kernel without IPv6 has no such file and no such socket.
      if (text === null && file === 'tcp') return null;
      if (text === null) continue;
      complete &&= text.length < tableBytes;
      rows.push(...networkRowsIn(text, protocol));
    }
    return networkTable(rows, complete);
  }

  #localTable(pid: number): LocalTable | null {
    return kept(this.#locals, this.#namespaceOf(pid), () => {
      const text = this.#reader.readText(`/proc/${pid}/net/unix`, tableBytes);
      return text === null ? null : { sockets: localSocketsIn(text), complete: text.length < tableBytes };
    });
  }

  #ofMachine(pid: number): ReadonlySet<string> {
    return kept(this.#machine, this.#namespaceOf(pid), () => {
      const texts = ['netlink', 'packet'].map(
        (file) => this.#reader.readText(`/proc/${pid}/net/${file}`, tableBytes) ?? '',
      );
      return new Set(texts.flatMap(lastInodesIn));
    });
  }

  #readCompositors(): ReadonlySet<string> {
    const found = new Set<string>();
    let links = 0;
    for (const pid of this.#compositors()) {
      const folder = `/proc/${pid}/fd`;
      // Null for another user's, as Xorg often is: its sockets are recognised by their names.
      for (const name of unlessRefused(folder, () => readdirSync(folder)) ?? []) {
        if (++links > maxLinks) return found;
        const inode = socketInode(readLink(`${folder}/${name}`)?.target ?? '');
        if (inode !== null) found.add(inode);
      }
    }
    return found;
  }
}
