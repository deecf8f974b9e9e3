import type { PossibleClient } from '../../../../app/jobs/measure/clients.ts';
import type { OpenFile } from '../../../../app/process/facts.ts';
import type { AskedProcess, SocketProbing } from '../../processes/probing.ts';
import type { WindowsKernel } from '../kernel/kernel.ts';
import { readPorts, type Ports, type TcpEntry } from '../kernel/ports.ts';

export const portsOf = ({ tcp, udp }: Ports, pid: number): readonly number[] =>
  [
    ...new Set([
      ...tcp.filter((one) => one.pid === pid && one.state === 'listens').map(({ localPort }) => localPort),
      ...udp.filter((one) => one.pid === pid).map(({ localPort }) => localPort),
    ]),
  ].toSorted((left, right) => left - right);

export const portsInUse = (ports: Ports | null): ReadonlySet<number> | null =>
  ports === null
    ? null
    : new Set([
        ...ports.tcp.filter(({ state }) => state === 'listens').map(({ localPort }) => localPort),
        ...ports.udp.map(({ localPort }) => localPort),
      ]);

/** Returns the number that stands for one end of a connection, unique on this machine. */
const endOf = (local: string, localPort: number, remote: string, remotePort: number): string => {
  const ports = [localPort, remotePort].map((port) => port.toString(16).padStart(4, '0')).join('');
  return String(BigInt(`0x${local.length === 8 ? 4 : 6}${local}${remote}${ports}`));
};

/** The far end, if a process of this machine has it; null where none does. */
const peersOf = (one: TcpEntry, tcp: readonly TcpEntry[]): readonly string[] | null => {
  const isHere = tcp.some(
    ({ local, localPort, remote, remotePort }) =>
      localPort === one.remotePort && remotePort === one.localPort && local === one.remote && remote === one.local,
  );
  return isHere ? [endOf(one.remote, one.remotePort, one.local, one.localPort)] : null;
};

/** Returns the connections of a process in the form of open files; Windows numbers them not. */
export const socketNamesOf = ({ tcp }: Ports, pid: number): readonly OpenFile[] =>
  tcp
    .filter((one) => one.pid === pid && one.state === 'connected')
    .map((one) => ({
      fd: -1,
      target: `socket:[${endOf(one.local, one.localPort, one.remote, one.remotePort)}]`,
      deleted: false,
    }));

/**
 * Returns the connections that were made to a process: those whose own port is one on which it, or
 * a process that is not told, listens. Clients of named pipes are not seen.
 */
const clientsOf = ({ pid }: AskedProcess, { tcp }: Ports): readonly PossibleClient[] => {
  // Any process may serve a connection without an owner: under Wine, which mostly tells none.
  const served = new Set(tcp.filter(({ state }) => state === 'listens').map(({ localPort }) => localPort));
  if (tcp.some((one) => one.pid === 0 && one.state === 'connected' && served.has(one.localPort)))
    return [{ by: 'unknown', at: 'the owners of connections are not told', from: null, peers: null }];
  const listening = new Set(
    tcp
      .filter((one) => one.state === 'listens' && (one.pid === pid || one.pid === 0))
      .map(({ localPort }) => localPort),
  );
  return tcp
    .filter((one) => one.pid === pid && one.state === 'connected' && listening.has(one.localPort))
    .map((one) => ({
      by: 'connection',
      at: `port ${one.localPort}`,
      from: `port ${one.remotePort}`,
      peers: peersOf(one, tcp),
    }));
};

export const socketProbing = (kernel: Pick<WindowsKernel, 'ports'>): SocketProbing => ({
  possibleClients: (processes) => {
    const ports = readPorts(kernel);
    if (ports === null)
      return processes.map(() => [{ by: 'unknown', at: 'its connections can not be seen', from: null, peers: null }]);
    return processes.map((one) => clientsOf(one, ports));
  },
  sharers: (jobs) => jobs.map(() => []),
  takenAlong: () => null,
  // Windows counts no bytes of a socket for other programs, so no process counts as silent.
  exchanges: (jobs) => jobs.map(() => ({ kind: 'unknown' })),
});
