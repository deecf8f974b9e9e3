import type { Connection, ProcessProbe } from '../../../../app/diagnose/probe.ts';
import type { PossibleClient } from '../../../../app/jobs/measure/clients.ts';
import type { MemberFacts } from '../../../../app/process/facts.ts';
import type { Probing, AskedProcess } from '../../processes/probing.ts';

/**
 * lsof names a connected socket by both of its ends, `10.0.0.5:52011->10.0.0.7:443`. That name is
 * the only identity there is.
 */
const connectionOf = (target: string): Connection | null => {
  const [, local = '', remote = ''] = /^(\S+:\d+)->(\S+:\d+)$/u.exec(target) ?? [];
  if (local === '') return null;
  // Keepalive is unknown here. It is assumed, because a diagnosis then waits longer.
  return { inode: target, local, remote, keptAlive: true, unacknowledgedBytes: 0, unreadBytes: 0 };
};

const probeOf = (facts: MemberFacts | undefined): ProcessProbe => ({
  wait: null,
  place: null,
  threads: 0,
  switches: null,
  firstThreadCpuMs: null,
  minorFaults: null,
  writtenBytes: null,
  swapBytes: null,
  descriptors: facts?.openFiles?.length ?? null,
  descriptorLimit: null,
  pipes: [],
  connections: (facts?.openFiles ?? []).map(({ target }) => connectionOf(target)).filter((one) => one !== null),
  lockHolder: null,
});

const unknown = (at: string): PossibleClient => ({ by: 'unknown', at, from: null, peers: null });

const portOf = (address: string): number => Number(address.slice(address.lastIndexOf(':') + 1));

/**
 * Returns the connections to a process as lsof names them. An accepted local socket has its
 * listener's path (unp_connect of the BSDs copies it), so a path that is open more than once may be
 * a connection. Standard output and standard error are often one file.
 */
export const servedAsLsofTells = ({ files, ports }: AskedProcess): readonly PossibleClient[] => {
  if (files === null) return [unknown('its open files can not be seen')];
  const overNetwork = files.flatMap(({ target }): readonly PossibleClient[] => {
    const connection = connectionOf(target);
    if (connection === null || !ports.has(portOf(connection.local))) return [];
    return [{ by: 'connection', at: `port ${portOf(connection.local)}`, from: connection.remote, peers: null }];
  });
  const paths = files.flatMap(({ fd, target }) => (fd > 2 && target.startsWith('/') ? [target] : []));
  const twice = paths.find((path, at) => paths.indexOf(path) < at);
  return twice === undefined ? overNetwork : [...overNetwork, unknown(twice)];
};

/**
 * Uses only what ps and lsof have reported: neither shows what a process waits for nor how often it
 * ran, so diagnoses that need either are not made.
 */
export const darwinProbing: Probing = {
  processes: (rows, facts) => new Map(rows.map(({ pid }) => [pid, probeOf(facts.get(pid))])),
  holders: () => new Map(),
  memory: () => null,
  traffic: () => new Map(),
  possibleClients: (processes) => processes.map(servedAsLsofTells),
  // ps tells none of what the kernel counts, so no process counts as silent.
  exchanges: (jobs) => jobs.map(() => ({ kind: 'unknown' })),
  oomKills: () => null,
  oomKilled: () => null,
};
