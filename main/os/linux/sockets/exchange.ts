import { readdirSync } from 'node:fs';
import type { Exchange } from '../../../../app/jobs/measure/activity.ts';
import type { OpenFile } from '../../../../app/process/facts.ts';
import { maxOpenFiles } from '../../files/open-file.ts';
import type { ExchangingProcess } from '../../processes/probing.ts';
import type { ProcReader } from '../proc/proc-reader.ts';
import { refusalOf } from '../proc/proc-reader.ts';
import { isConnected } from './network-table.ts';
import { socketsAmong } from './serving.ts';
import type { SocketWorld } from './socket-world.ts';

/**
 * The measurement of one process: bytes of its connections, and how often it slept, if one of its
 * sockets counts no bytes.
 */
export type Measured = { readonly bytes: number; readonly switches: number | null } | 'nothing' | 'unknown';

/** Returns the voluntary context switches of a process's threads, or null if unknown. */
export type Switches = (pid: number) => number | null;

/** Processes with more threads are not measured. */
const maxThreads = 512;

/**
 * Returns a number that changes whenever any thread of the process has slept in between.
 * @throws ProcessTableUnreadable
 */
export const switchesOf = (reader: ProcReader, pid: number): number | null => {
  const folder = `/proc/${pid}/task`;
  let threads: readonly string[];
  try {
    threads = readdirSync(folder);
  } catch (error) {
    refusalOf(error, folder);
    return null;
  }
  if (threads.length > maxThreads) return null;
  let sum = 0;
  for (const thread of threads) {
    const count = /^voluntary_ctxt_switches:\s+(\d+)$/mu.exec(
      reader.readText(`${folder}/${thread}/status`, 8_192) ?? '',
    );
    if (count?.[1] === undefined) return null;
    sum += Number(count[1]);
  }
  return sum;
};

/** Returns the traffic of one socket: none, bytes so far, or `unmeasured` if there is no figure. */
const overSocket = (
  pid: number,
  file: OpenFile,
  inode: string,
  world: SocketWorld,
  traffic: ReadonlyMap<string, number> | null,
): number | 'nothing' | 'unmeasured' => {
  const table = world.network(pid);
  const row = table?.byInode.get(inode);
  if (row !== undefined) return isConnected(row) ? (traffic?.get(inode) ?? 'unmeasured') : 'unmeasured';
  const socket = world.local(pid, inode);
  if (socket === null) return world.isNoConnection(pid, file, inode) === 'closed' ? 'nothing' : 'unmeasured';
  const isOver = socket.peer === 'closed' || (socket.peer === 'none' && !socket.listens && socket.name === null);
  return isOver && socket.type !== 'datagram' ? 'nothing' : 'unmeasured';
};

/**
 * Measures one process. `traffic` is called only if it has a socket.
 * @throws ProcessTableUnreadable
 */
export const measuredOf = (
  { pid, files }: ExchangingProcess,
  world: SocketWorld,
  traffic: () => ReadonlyMap<string, number> | null,
  switches: Switches,
): Measured => {
  if (files === null || files.length >= maxOpenFiles) return 'unknown';
  const sockets = socketsAmong(files);
  if (sockets.length === 0) return 'nothing';
  const figures = sockets.map(({ file, inode }) => overSocket(pid, file, inode, world, traffic()));
  const bytes = figures.reduce<number>((sum, figure) => sum + (typeof figure === 'number' ? figure : 0), 0);
  if (!figures.includes('unmeasured'))
    return figures.every((figure) => figure === 'nothing') ? 'nothing' : { bytes, switches: null };
  const slept = switches(pid);
  return slept === null ? 'unknown' : { bytes, switches: slept };
};

/**
 * Combines the processes of a job into a figure that stays equal as long as there was no traffic.
 */
export const exchangeOf = (measured: readonly Measured[]): Exchange => {
  if (measured.includes('unknown')) return { kind: 'unknown' };
  const figures = measured.flatMap((one) => (typeof one === 'object' ? [`${one.bytes}/${one.switches ?? ''}`] : []));
  return figures.length === 0 ? { kind: 'nothing' } : { kind: 'measured', figure: figures.join(' ') };
};
