import type { Connection, ProcessProbe } from '../../../app/diagnose/probe.ts';
import type { MemberFacts } from '../../../app/process/facts.ts';
import type { Probing } from '../probing.ts';

/** lsof names a connected socket by both of its ends, `10.0.0.5:52011->10.0.0.7:443`, and that name is all there is of its identity. */
const connectionOf = (target: string): Connection | null => {
  const [, local = '', remote = ''] = /^(\S+:\d+)->(\S+:\d+)$/u.exec(target) ?? [];
  if (local === '') return null;
  // Nothing tells whether the kernel asks the other side; it is taken for asked, which waits longer before it is told.
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

/**
 * What ps and lsof have told already, and nothing more: macOS shows neither what a process waits for nor how often it ran, so what is diagnosed from
 * that is not diagnosed there.
 */
export const darwinProbing: Probing = {
  processes: (rows, facts) => new Map(rows.map(({ pid }) => [pid, probeOf(facts.get(pid))])),
  holders: () => new Map(),
  memory: () => null,
  traffic: () => new Map(),
  serving: (processes) => processes.map(() => []),
  oomKills: () => null,
  oomKilled: () => null,
};
