import type { Traffic } from '../../../../app/diagnose/probe.ts';
import { askSs } from '../sockets/ss.ts';

/** Asked again after so long, milliseconds: what stood still for half an hour is not told to the second. */
const everyMs = 120_000;

const numberIn = (line: string, name: string): number =>
  Number(new RegExp(`\\s${name}:(\\d+)`, 'u').exec(line)?.[1] ?? 0);

/**
 * By the inode of the socket, out of what `ss -tineHO` prints, a line for each connection. A figure that is 0 it leaves out.
 * https://man7.org/linux/man-pages/man8/ss.8.html
 */
export const trafficIn = (text: string): ReadonlyMap<string, Traffic> => {
  const traffic = new Map<string, Traffic>();
  for (const line of text.split('\n')) {
    const inode = /\sino:(\d+)\s/u.exec(line)?.[1];
    if (inode === undefined) continue;
    traffic.set(inode, {
      sentBytes: numberIn(line, 'bytes_sent'),
      receivedBytes: numberIn(line, 'bytes_received'),
    });
  }
  return traffic;
};

/**
 * Asks iproute2's ss how much went over the connections of this network namespace: the kernel tells it through a socket of its own
 * (sock_diag), not in /proc. Where there is no ss, or it says nothing of the kind, nothing is known.
 */
export class TrafficTable {
  #known: { readonly atMs: number; readonly traffic: ReadonlyMap<string, Traffic> } | null = null;

  /** Never throws. */
  read(): ReadonlyMap<string, Traffic> {
    const nowMs = performance.now();
    if (this.#known !== null && nowMs - this.#known.atMs < everyMs) return this.#known.traffic;
    const text = askSs(['-tineHO', 'state', 'established']);
    const traffic = text === null ? new Map<string, Traffic>() : trafficIn(text);
    this.#known = { atMs: nowMs, traffic };
    return traffic;
  }
}
