import type { FarEnd } from '../../../app/process/channels.ts';

export interface FarSocket {
  /** Inode of the other end; 0: none. */
  readonly peer: string;
  /** Shut in both directions, as the kernel does when the other end is closed; null: not told. */
  readonly shut: boolean | null;
}

export interface FarTerminal {
  readonly number: number;
  readonly state: 'hung-up' | 'held';
}

export interface FarEnds {
  /** By inode; null where there is no ss. */
  readonly sockets: ReadonlyMap<string, FarSocket> | null;
  /** By `PID FD`, of pipes that could be polled. */
  readonly pipes: ReadonlyMap<string, FarEnd>;
  /** By `PID FD`, of standard input and output on a pseudo-terminal. */
  readonly terminals: ReadonlyMap<string, FarTerminal>;
}

/**
 * Returns what `curfew_peers` and `curfew_polls` of far-ends.sh printed. A socket of which two
 * lines tell is unknown: any user can give a socket a name that looks like a line.
 * @param peers null where there is no ss
 * @param polls null where there is no perl
 */
export const farEndsIn = (peers: string | null, polls: string | null): FarEnds => {
  const sockets = new Map<string, FarSocket>();
  const twice = new Set<string>();
  for (const line of (peers ?? '').split('\n')) {
    const [, inode, peer, shut] = /^(\d{1,20}) (\d{1,20})(?: ([<-]-[->]))?$/u.exec(line) ?? [];
    if (inode === undefined || peer === undefined) continue;
    if (sockets.has(inode)) twice.add(inode);
    sockets.set(inode, { peer, shut: shut === undefined ? null : shut === '---' });
  }
  for (const inode of twice) sockets.delete(inode);
  const polled = new Map<string, FarEnd>();
  const terminals = new Map<string, FarTerminal>();
  for (const line of (polls ?? '').split('\n')) {
    const [, terminal, number, state] = /^(\d{1,7} [01]) (\d{1,10}) (hung-up|held)$/u.exec(line) ?? [];
    if (terminal !== undefined)
      terminals.set(terminal, { number: Number(number), state: state === 'held' ? 'held' : 'hung-up' });
    const [, key, far] = /^(\d{1,7} \d{1,10}) (open|closed)$/u.exec(line) ?? [];
    if (key !== undefined) polled.set(key, far === 'closed' ? 'closed' : 'open');
  }
  return { sockets: peers === null ? null : sockets, pipes: polled, terminals };
};
