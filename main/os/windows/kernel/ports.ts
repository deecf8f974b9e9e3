import { tcpRow, udpRow } from './layouts.ts';
import type { PortTable, WindowsKernel } from './kernel.ts';

/** A TCP connection or listener. `pid` 0: its owner is not told. */
export interface TcpEntry {
  readonly state: 'listens' | 'connected' | 'other';
  readonly local: string;
  readonly localPort: number;
  readonly remote: string;
  readonly remotePort: number;
  readonly pid: number;
}

export interface UdpEntry {
  readonly localPort: number;
  readonly pid: number;
}

/** MIB_TCP_STATE. */
const listens = 2;
const connected = 5;

/** Returns as many rows as the table says that it has; null where they don't fit. */
const rowsAt = (bytes: Buffer, size: number): readonly number[] | null => {
  if (bytes.length < 4) return null;
  const count = bytes.readUInt32LE(0);
  if (4 + count * size > bytes.length) return null;
  return Array.from({ length: count }, (_, at) => 4 + at * size);
};

/** Returns the rows of a table of TCP; null where it can't be one. Never throws. */
export const tcpIn = (bytes: Buffer, family: 'tcp4' | 'tcp6'): readonly TcpEntry[] | null => {
  const row = tcpRow[family];
  const found = rowsAt(bytes, row.size);
  if (found === null) return null;
  const address = (at: number): string => bytes.toString('hex', at, at + row.address);
  return found.map((at) => {
    const state = bytes.readUInt32LE(at + row.state);
    return {
      state: state === listens ? 'listens' : state === connected ? 'connected' : 'other',
      local: address(at + row.local),
      localPort: bytes.readUInt16BE(at + row.localPort),
      remote: address(at + row.remote),
      remotePort: bytes.readUInt16BE(at + row.remotePort),
      pid: bytes.readUInt32LE(at + row.pid),
    };
  });
};

/** The same for UDP. */
export const udpIn = (bytes: Buffer, family: 'udp4' | 'udp6'): readonly UdpEntry[] | null => {
  const row = udpRow[family];
  return (
    rowsAt(bytes, row.size)?.map((at) => ({
      localPort: bytes.readUInt16BE(at + row.localPort),
      pid: bytes.readUInt32LE(at + row.pid),
    })) ?? null
  );
};

export interface Ports {
  readonly tcp: readonly TcpEntry[];
  readonly udp: readonly UdpEntry[];
}

/** Reads the ports; null where one of the tables can't be read. */
export const readPorts = (kernel: Pick<WindowsKernel, 'ports'>): Ports | null => {
  const read = <Entry>(
    table: PortTable,
    parse: (bytes: Buffer) => readonly Entry[] | null,
  ): readonly Entry[] | null => {
    const bytes = kernel.ports(table);
    return bytes === null ? null : parse(bytes);
  };
  const tcp4 = read('tcp4', (bytes) => tcpIn(bytes, 'tcp4'));
  const tcp6 = read('tcp6', (bytes) => tcpIn(bytes, 'tcp6'));
  const udp4 = read('udp4', (bytes) => udpIn(bytes, 'udp4'));
  const udp6 = read('udp6', (bytes) => udpIn(bytes, 'udp6'));
  if (tcp4 === null || tcp6 === null || udp4 === null || udp6 === null) return null;
  return { tcp: [...tcp4, ...tcp6], udp: [...udp4, ...udp6] };
};
