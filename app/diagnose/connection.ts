import type { Connection } from './probe.ts';
import { secondsSince, type Finder, type Subject } from './subject.ts';
import { maxFollowed, type Watch } from './watch.ts';

interface Held {
  readonly pid: number;
  readonly connection: Connection;
}

/**
 * Connections to a process outside the job: one between two members has both of its ends among
 * them.
 */
const outward = ({ members, probe }: Subject): readonly Held[] => {
  const held = members.flatMap(({ row }) =>
    (probe?.processes.get(row.pid)?.connections ?? []).map((connection) => ({ pid: Number(row.pid), connection })),
  );
  const own = new Set(held.map(({ connection }) => connection.local));
  return held.filter(({ connection }) => !own.has(connection.remote));
};

/** What is remembered of the connections after this look. */
export const advanceConnections = (subject: Subject, before: Watch['connections']): Watch['connections'] => {
  const inodes = outward(subject).map(({ connection }) => connection.inode);
  return Object.fromEntries(
    inodes.slice(0, maxFollowed).map((inode) => [inode, before[inode] ?? subject.table.nowTicks]),
  );
};

/**
 * A connection that has been open for long while nothing came or went. Where the kernel doesn't ask
 * the other side whether it lives, the end of that side would never be noticed, and half of the
 * limit is long; where it does, twice the limit. The kernel does not tell how old the connection
 * is; it is at least as old as the time it was watched.
 */
export const findConnection: Finder = (subject, watch) => {
  const found = outward(subject)
    .map((held) => ({
      ...held,
      seconds: secondsSince(subject, watch.connections[held.connection.inode] ?? subject.table.nowTicks),
    }))
    .filter(({ connection, seconds }) => {
      const long = subject.limitSeconds * (connection.keptAlive ? 2 : 0.5);
      return seconds >= long && subject.silentSeconds >= long;
    })
    .toSorted((left, right) => right.seconds - left.seconds)[0];
  if (found === undefined) return null;
  const { pid, seconds, connection } = found;
  const traffic = subject.probe?.traffic.get(connection.inode);
  return {
    code: 'long-connection',
    figures: {
      pid,
      address: connection.remote,
      seconds,
      keptAlive: connection.keptAlive ? 1 : 0,
      ...(traffic === undefined ? {} : { sentBytes: traffic.sentBytes, receivedBytes: traffic.receivedBytes }),
      ...(connection.unacknowledgedBytes > 0 ? { unacknowledgedBytes: connection.unacknowledgedBytes } : {}),
      ...(connection.unreadBytes > 0 ? { unreadBytes: connection.unreadBytes } : {}),
    },
  };
};
