import type { Connection } from '../../../../app/diagnose/probe.ts';
import type { Served } from '../../../../app/jobs/in-use.ts';
import { runBounded } from '../../bounded-program.ts';
import type { ServingProcess } from '../../probing.ts';
import { pathOfNamespace } from '../boot.ts';
import type { ProcReader } from '../proc-reader.ts';
import { ConnectionTables } from './connections.ts';

/** Bound of the table of local sockets, in bytes: about 100,000 lines. */
const tableBytes = 8_388_608;
const patienceMs = 2000;

const endOf = (address: string): { readonly host: string; readonly port: number } => {
  const at = address.lastIndexOf(':');
  return { host: address.slice(0, at), port: Number(address.slice(at + 1)) };
};

const isLoopback = (host: string): boolean => host.startsWith('127.') || host === '[::1]';

/** Connections to these ports, among the established ones of one network namespace. */
export const servedIn = (
  table: ReadonlyMap<string, Connection>,
  inodes: ReadonlySet<string>,
  ports: ReadonlySet<number>,
): readonly Served[] => {
  const own = [...inodes]
    .flatMap((inode) => table.get(inode) ?? [])
    .filter(({ local }) => ports.has(endOf(local).port));
  if (own.length === 0) return [];
  const byEnds = new Map([...table.values()].map((one) => [`${one.local} ${one.remote}`, one.inode]));
  return own.flatMap(({ local, remote }): Served[] => {
    const peer = byEnds.get(`${remote} ${local}`) ?? null;
    // The other side of it is just going.
    if (peer === null && isLoopback(endOf(remote).host)) return [];
    return [{ by: 'connection', at: `port ${endOf(local).port}`, from: remote, peer }];
  });
};

/**
 * Sockets that somebody connected to, by inode, with the path to which their listener is bound: state 03, connected, in the text of
 * /proc/net/unix. The connecting side has no path there. https://man7.org/linux/man-pages/man5/proc_pid_net.5.html
 */
export const acceptedIn = (text: string): ReadonlyMap<string, string> => {
  const accepted = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, inode, path] = /^[0-9a-f]+: [0-9A-F]+ [0-9A-F]+ [0-9A-F]+ (?:0001|0005) 03 +(\d+) (.+)$/u.exec(line) ?? [];
    if (inode !== undefined && path !== undefined) accepted.set(inode, path);
  }
  return accepted;
};

/** What ss gives for the other end where that is closed: its side stays connected until it notices. */
const nobody = '0';

/** The other end of each local socket, by inode, out of what `ss -xHn` prints: `… PATH INODE PATH INODE`, `*` for no path. */
export const peersIn = (text: string): ReadonlyMap<string, string> => {
  const peers = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, inode, peer] = /\s(\d+) \S+ (\d+)\s*$/u.exec(line) ?? [];
    if (inode !== undefined && peer !== undefined) peers.set(inode, peer);
  }
  return peers;
};

/**
 * The socket of a server that puts windows on a screen: X's, in /tmp and as an abstract name (X(7), "display names"), and Wayland's in the
 * runtime folder of the user (https://wayland.freedesktop.org/docs/html/apb.html, wl_display_connect).
 */
const display = /^@?\/tmp\/\.X11-unix\/X\d+$|^\/run\/user\/\d+\/wayland-\d+$/u;

/** Who is connected to processes. Made anew for each look; what belongs to the machine is read at most once, and only when it is needed. */
export class ServingReader {
  readonly #reader: ProcReader;
  readonly #connections: ConnectionTables;
  readonly #accepted = new Map<string, ReadonlyMap<string, string>>();
  #peers: ReadonlyMap<string, string> | null = null;

  constructor(reader: ProcReader) {
    this.#reader = reader;
    this.#connections = new ConnectionTables(reader);
  }

  /** Throws ProcessTableUnreadable. */
  read({ pid, sockets: inodes, ports, showsWindows }: ServingProcess): readonly Served[] {
    if (inodes.size === 0) return [];
    const overNetwork = ports.size === 0 ? [] : servedIn(this.#connections.of(pid), inodes, ports);
    const accepted = this.#acceptedOf(pid);
    const local = [...inodes].flatMap((inode): Served[] => {
      const path = accepted.get(inode);
      const peer = path === undefined ? nobody : this.#peerOf(inode);
      // Where nobody tells who is at the other end, somebody is.
      return path === undefined || peer === nobody ? [] : [{ by: 'connection', at: path, from: null, peer }];
    });
    return [...overNetwork, ...local, ...(showsWindows ? this.#displaysOf(inodes, accepted) : [])];
  }

  #displaysOf(inodes: ReadonlySet<string>, accepted: ReadonlyMap<string, string>): readonly Served[] {
    const displays = new Map([...accepted].filter(([, path]) => display.test(path)));
    if (displays.size === 0) return [];
    return [...inodes].flatMap((inode): Served[] => {
      const peer = this.#peerOf(inode);
      const at = peer === null ? undefined : displays.get(peer);
      return at === undefined ? [] : [{ by: 'display', at, from: null, peer }];
    });
  }

  #acceptedOf(pid: number): ReadonlyMap<string, string> {
    const namespace = pathOfNamespace(pid, 'net') ?? `of ${pid}`;
    let accepted = this.#accepted.get(namespace);
    if (accepted === undefined) {
      // What listens inside of a sandbox is connected to from inside, and its sockets show to nobody else.
      const isOwn = namespace === pathOfNamespace('self', 'net');
      accepted = acceptedIn(isOwn ? (this.#reader.readText(`/proc/${pid}/net/unix`, tableBytes) ?? '') : '');
      this.#accepted.set(namespace, accepted);
    }
    return accepted;
  }

  /** The kernel tells it through a socket of its own (sock_diag), not in /proc, so iproute2's ss is asked. https://man7.org/linux/man-pages/man8/ss.8.html */
  #peerOf(inode: string): string | null {
    if (this.#peers === null) {
      const { status, stdout } = runBounded({
        command: ['ss', '-xHn'],
        environment: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' },
        timeoutMs: patienceMs,
      });
      this.#peers = status === 0 ? peersIn(stdout) : new Map();
    }
    return this.#peers.get(inode) ?? null;
  }
}
