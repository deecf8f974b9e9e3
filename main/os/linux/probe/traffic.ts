import type { Traffic } from '../../../../app/diagnose/probe.ts';
import { askSs } from '../sockets/ss.ts';

/** Interval in ms: a stall of half an hour need not be known to the second. */
const everyMs = 120_000;

const numberIn = (line: string, name: string): number =>
  Number(new RegExp(`\\s${name}:(\\d+)`, 'u').exec(line)?.[1] ?? 0);

/**
 * Returns traffic by socket inode from the output of `ss -tineHO`, one line per connection. ss
 * omits figures that are 0. https://man7.org/linux/man-pages/man8/ss.8.html
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
 * Reads the traffic of the connections of this network namespace from iproute2's ss: the kernel
 * reports it through sock_diag, not in /proc. Empty if ss is missing or does not report it.
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
