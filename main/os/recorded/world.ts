import type { MemberFacts } from '../../../app/process/facts.ts';
import { listensOf } from '../linux/facts/member-facts.ts';
import type { Exchange } from '../../../app/jobs/measure/activity.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import type { ExchangingProcess } from '../processes/probing.ts';
import { exchangeOf } from '../linux/sockets/exchange.ts';
import { type DisplayReader, displaysAmong, isCompositor } from '../linux/sockets/displays.ts';
import { listeningPorts, networkRowsIn, networkTable, type NetworkTable } from '../linux/sockets/network-table.ts';
import type { SocketWorld } from '../linux/sockets/socket-world.ts';
import {
  listeningPathsIn,
  localSocketsIn,
  type LocalSocket,
  otherEndsIn,
  type Peers,
  peersIn,
  sendersIn,
  withPeer,
} from '../linux/sockets/unix-table.ts';
import { socketInode } from '../linux/sockets/sockets.ts';
import type { Observation } from './observation.ts';

/** Tables without which a socket that is in none of the others may still be a connection. */
const needed = ['tcp', 'udp'];

/** A line of what `curfew_peers` prints. */
const peerLine = /^(\d+) (\d+)(?: \S{3})?$/u;

/**
 * The sockets of another machine, as one answer told of them: those of the network namespace of the
 * shell that answered. Of processes in others, and of what is at the other end of a local socket
 * where there is no ss, nothing is known.
 */
export class RemoteWorld implements SocketWorld {
  readonly #observation: Observation;
  readonly #rows: () => Iterable<ProcessRow>;
  /** Ports of listening sockets, by inode. */
  readonly listening: ReadonlyMap<string, number>;
  readonly #network: NetworkTable | null;
  readonly #local: ReadonlyMap<string, LocalSocket>;
  readonly #peers: Peers | null;
  #compositorSockets: ReadonlySet<string> | null = null;

  constructor(observation: Observation, rows: () => Iterable<ProcessRow>) {
    this.#observation = observation;
    this.#rows = rows;
    const { sockets, localSockets, peers } = observation;
    const isRead = needed.every((name) => sockets.some(({ table }) => table === name));
    const network = sockets.flatMap(({ table, text }) =>
      networkRowsIn(text, table.startsWith('tcp') ? 'tcp' : table.startsWith('udp') ? 'udp' : 'raw'),
    );
    this.listening = listeningPorts(network);
    this.#network = isRead ? networkTable(network, true) : null;
    // The columns that were left out have no meaning here.
    const lines = (localSockets ?? '').split('\n').map((line) => `0: 0 0 ${line}`);
    this.#local = localSocketsIn(lines.join('\n'));
    this.#peers = peers === null ? null : peersIn(peers, peerLine);
  }

  network(pid: number): NetworkTable | null {
    return this.#isOwn(pid) ? this.#network : null;
  }

  listeningPaths(): ReadonlyMap<string, string> {
    return listeningPathsIn(this.#local);
  }

  local(_pid: number, inode: string): LocalSocket | null {
    const socket = this.#local.get(inode);
    return socket === undefined ? null : withPeer(socket, this.#peers);
  }

  isNoConnection(_pid: number, _file: unknown, inode: string): 'machine' | null {
    return this.#observation.machineSockets.has(inode) ? 'machine' : null;
  }

  otherEnds(pid: number, socket: LocalSocket): readonly string[] | null {
    if (!this.#isOwn(pid) || this.#observation.localSockets === null) return null;
    return otherEndsIn(this.#local, socket);
  }

  senders(_pid: number, inode: string): readonly string[] | null {
    return this.#peers === null ? null : sendersIn(this.#peers, inode);
  }

  displays(_pid: number): readonly string[] {
    return displaysAmong(this.#local.values());
  }

  compositorSockets(): ReadonlySet<string> {
    return (this.#compositorSockets ??= new Set(
      [...this.#rows()]
        .filter(({ comm }) => isCompositor(comm))
        .flatMap(({ pid }) => [...(this.#observation.processes.get(pid)?.links.values() ?? [])])
        .flatMap(({ target }) => socketInode(target) ?? []),
    ));
  }

  /** Whether a process shares the network namespace of the shell that answered. */
  #isOwn(pid: number): boolean {
    const { processes, head } = this.#observation;
    const own = processes.get(head.self)?.links.get('ns/net')?.target;
    return own !== undefined && processes.get(pid)?.links.get('ns/net')?.target === own;
  }
}

/** Whether a job ran, by how often its processes slept. null: there is no answer yet. */
export const exchangeSeen = (
  seen: { readonly switches: ReadonlyMap<number, number> } | null,
  processes: readonly ExchangingProcess[],
): Exchange => exchangeOf(processes, (pid) => seen?.switches.get(pid) ?? null);

/** Returns the displays that a process is connected to and the paths on which it listens. */
export const placesIn = (
  world: RemoteWorld | null,
  displays: DisplayReader,
  pid: number,
  { openFiles }: Pick<MemberFacts, 'openFiles'>,
): Pick<MemberFacts, 'displays' | 'listens'> => {
  if (world === null) return { displays: [] };
  const files = openFiles ?? [];
  return { displays: displays.read(pid, files, world), ...listensOf(files, () => world.listeningPaths()) };
};
