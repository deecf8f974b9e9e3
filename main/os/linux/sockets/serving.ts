import type { PossibleClient } from '../../../../app/jobs/measure/clients.ts';
import type { OpenFile } from '../../../../app/process/facts.ts';
import { maxOpenFiles } from '../../files/held-file.ts';
import type { AskedProcess } from '../../processes/probing.ts';
import { noInode } from '../sock-diag/inet.ts';
import { socketInode } from './sockets.ts';
import {
  endOf,
  isConnected,
  isConnectedOrRequested,
  isConnectedUdp,
  isEstablished,
  isLoopback,
  isServed,
  wasConnectedTo,
  type NetworkRow,
  type NetworkTable,
} from './network-table.ts';
import type { SocketWorld } from './socket-world.ts';
import type { LocalSocket } from './unix-table.ts';

const unknown = (at: string): PossibleClient => ({ by: 'unknown', at, from: null, peers: null });

/** Returns the open sockets among files, each inode once. */
export const socketsAmong = (
  files: readonly OpenFile[],
): readonly { readonly file: OpenFile; readonly inode: string }[] => {
  const found = new Map<string, OpenFile>();
  for (const file of files) {
    const inode = socketInode(file.target);
    if (inode !== null && !found.has(inode)) found.set(inode, file);
  }
  return [...found].map(([inode, file]) => ({ inode, file }));
};

/** Returns a connection from the serving side; none if the other side is closing. */
const servedBy = (row: NetworkRow, table: NetworkTable): readonly PossibleClient[] => {
  const peer = table.byEnds.get(`${row.remote} ${row.local}`)?.inode ?? null;
  const at = `port ${endOf(row.local).port}`;
  const isHere = peer !== null || isLoopback(endOf(row.remote).host);
  if (isHere && table.complete && (peer === null || peer === noInode)) return [];
  return [{ by: 'connection', at, from: row.remote, peers: peer === null || peer === noInode ? null : [peer] }];
};

/** Returns connections to a process in its network namespace. `ports`: its job's listeners. */
export const servedIn = (
  table: NetworkTable,
  inodes: ReadonlySet<string>,
  ports: ReadonlySet<number>,
): readonly PossibleClient[] => {
  const own = [...inodes].flatMap((inode) => table.byInode.get(inode) ?? []);
  const isOwnPort = ({ local }: NetworkRow): boolean => ports.has(endOf(local).port);
  const accepted = own.filter((row) => isConnected(row) && (isOwnPort(row) || isServed(row, table)));
  // Connections not accepted yet: clients of a stopped or busy server.
  const waiting = ports.size === 0 ? [] : table.rows.filter((row) => row.inode === noInode && isConnected(row));
  const overTcp = [...accepted, ...waiting.filter(isOwnPort)].flatMap((row) => servedBy(row, table));
  const udpPorts = new Set(own.flatMap(({ protocol, local }) => (protocol === 'udp' ? [endOf(local).port] : [])));
  if (udpPorts.size === 0) return overTcp;
  const overUdp = table.rows.flatMap((row): readonly PossibleClient[] => {
    const to = endOf(row.remote);
    const isHere = isLoopback(to.host) || to.host === endOf(row.local).host;
    if (!isConnectedUdp(row) || !isHere || !udpPorts.has(to.port) || inodes.has(row.inode)) return [];
    return [{ by: 'connection', at: `port ${to.port}`, from: row.local, peers: [row.inode] }];
  });
  return [...overTcp, ...overUdp];
};

const nameOf = ({ name }: LocalSocket): string => name ?? 'a local socket';

/**
 * What is behind these serves the process and does not use it: the journal and the log of the
 * system; a container's monitor (conmon) and its engine, which keep the container when their client
 * ends. https://github.com/containers/conmon (socket_parent_path, "attach")
 */
const servesOnly =
  /^(?:\/run\/systemd\/journal\/|\/dev\/log$|\/proc\/self\/fd\/\d+\/attach$)|\/[0-9a-f]{64}\/(?:userdata\/)?attach$|^(?:\/var)?\/run\/(?:user\/\d+\/)?(?:docker|podman\/podman)\.sock$/u;

/**
 * Returns what a process is connected to over the network, in both directions. What the kernel
 * calls established is a connection, also where its other end is in no table: that can be in
 * another namespace. A UDP port takes from any sender.
 */
const connectedIn = (
  table: NetworkTable,
  inodes: ReadonlySet<string>,
  ports: ReadonlySet<number>,
): readonly PossibleClient[] => {
  const own = [...inodes].flatMap((inode) => table.byInode.get(inode) ?? []);
  const isOwnPort = ({ local }: NetworkRow): boolean => ports.has(endOf(local).port);
  const waiting =
    ports.size === 0
      ? []
      : table.rows.filter((row) => row.inode === noInode && isOwnPort(row) && isConnectedOrRequested(row));
  const closed = ports.size === 0 ? [] : table.rows.filter((row) => wasConnectedTo(row, ports));
  const recent = closed.map(({ local, remote, closedSeconds = 0 }): PossibleClient => {
    const [to, from] = ports.has(endOf(local).port) ? [local, remote] : [remote, local];
    return { by: 'recent', at: `port ${endOf(to).port}`, from, peers: null, agoSeconds: closedSeconds };
  });
  const open = [...own, ...waiting].flatMap((row): readonly PossibleClient[] => {
    if (row.protocol === 'udp') return [unknown(`UDP port ${endOf(row.local).port}`)];
    if (!isConnectedOrRequested(row)) return [];
    if (!isEstablished(row)) return servedBy(row, table);
    const peer = table.byEnds.get(`${row.remote} ${row.local}`)?.inode ?? noInode;
    const peers = peer === noInode ? null : [peer];
    return isOwnPort(row) || isServed(row, table)
      ? [{ by: 'connection', at: `port ${endOf(row.local).port}`, from: row.remote, peers }]
      : [{ by: 'outgoing', at: row.remote, from: null, peers }];
  });
  return [...open, ...recent];
};

/**
 * A name that the kernel gives a socket which sends and was bound by none: no program knows it
 * beforehand, so no client can look for it. unix(7), "Autobind feature"
 */
const autobound = /^@[0-9a-f]{5}$/u;

/** Returns what a local socket is connected to, in both directions. */
const connectedLocally = (
  pid: number,
  { fd }: OpenFile,
  socket: LocalSocket,
  world: SocketWorld,
): readonly PossibleClient[] => {
  const sends = socket.type === 'datagram' && socket.name !== null && autobound.test(socket.name);
  if (socket.type === 'datagram' && socket.name !== null && !sends) return [unknown(nameOf(socket))];
  if (socket.listens || (socket.name !== null && !sends)) return servedLocally(pid, socket, world);
  if (socket.peer === 'closed' || socket.peer === 'none') return [];
  if (socket.peer === 'unknown') return [{ ...unknown('a local socket'), peers: world.otherEnds(pid, socket) }];
  const name = world.local(pid, socket.peer.inode)?.name ?? null;
  if (name !== null && servesOnly.test(name)) return [];
  const standard = name === null && fd <= 2 ? ({ standard: true } as const) : {};
  const pair = name === null ? ({ isPair: true } as const) : {};
  const peers = [socket.peer.inode];
  return [{ by: 'outgoing', at: name ?? 'a local socket', from: null, peers, ...standard, ...pair }];
};

/** Returns the clients of a local socket: of accepted connections, waiting ones, and senders. */
const servedLocally = (pid: number, socket: LocalSocket, world: SocketWorld): readonly PossibleClient[] => {
  const at = nameOf(socket);
  const of = (peers: readonly string[] | null): PossibleClient => ({ by: 'connection', at, from: null, peers });
  if (socket.type === 'datagram') {
    if (socket.name === null) return [];
    const senders = world.senders(pid, socket.inode);
    return senders === null ? [unknown(at)] : senders.map((inode) => of([inode]));
  }
  if (socket.listens)
    return socket.waiting === 'unknown'
      ? [{ ...unknown(at), peers: world.otherEnds(pid, socket) }]
      : socket.waiting.map((inode) => of([inode]));
  // The connecting side has no name and is no server.
  if (!socket.connected || socket.name === null) return [];
  if (socket.peer === 'closed' || socket.peer === 'none') return [];
  if (socket.peer !== 'unknown') return [of([socket.peer.inode])];
  // It is one of the others: if all of them belong to leftovers, so does this one.
  return [{ ...unknown(at), peers: world.otherEnds(pid, socket) }];
};

/**
 * Returns the connections made to a process; with `any` those that it made itself, too, and all
 * over which something may come. What can't be determined is `unknown`: a process with invisible
 * sockets may have clients. A process without sockets has none.
 * @throws ProcessTableUnreadable
 */
export const servedOf = (
  { pid, files, ports }: AskedProcess,
  world: SocketWorld,
  ways: 'served' | 'any' = 'served',
): readonly PossibleClient[] => {
  if (files === null) return [unknown('its open files can not be seen')];
  const sockets = socketsAmong(files);
  const more = files.length >= maxOpenFiles ? [unknown('it has more open files than are looked at')] : [];
  if (sockets.length === 0) return more;
  const table = world.network(pid);
  const inodes = new Set(sockets.map(({ inode }) => inode));
  const overNetwork = ways === 'any' ? connectedIn : servedIn;
  const found = table === null ? [] : overNetwork(table, inodes, ports);
  const local = sockets.flatMap(({ file, inode }): readonly PossibleClient[] => {
    if (table?.byInode.has(inode) === true) return [];
    const socket = world.local(pid, inode);
    if (socket !== null)
      return ways === 'any' ? connectedLocally(pid, file, socket, world) : servedLocally(pid, socket, world);
    if (world.isNoConnection(pid, file, inode) !== null) return [];
    return [unknown('what it is connected to can not be seen from here')];
  });
  return [...found, ...local, ...more];
};
