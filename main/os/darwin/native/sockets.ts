import type { PossibleClient } from '../../../../app/jobs/measure/clients.ts';
import type {
  ChannelRound,
  HeldChannel,
  ProcessChannels,
  StandardEnd,
  StandardKind,
} from '../../../../app/process/channels.ts';
import type { AskedProcess } from '../../processes/probing.ts';
import { readDescriptors, type Descriptor, type Descriptors } from '../kernel/descriptors.ts';
import type { DarwinKernel } from '../kernel/kernel.ts';

const unknown = (at: string): PossibleClient => ({ by: 'unknown', at, from: null, peers: null });

/** Returns the connections made to a process through one of its descriptors. */
const servedBy = (
  one: Descriptor,
  ports: ReadonlySet<number>,
  byEnds: ReadonlyMap<string, string>,
): readonly PossibleClient[] => {
  switch (one.kind) {
    case 'internet': {
      if (one.state !== 'connected' || !ports.has(one.localPort)) return [];
      const peer = byEnds.get(`${one.remote} ${one.local}`);
      const peers = peer === undefined ? null : [peer];
      return [{ by: 'connection', at: `port ${one.localPort}`, from: one.remote, peers }];
    }
    case 'local': {
      // What was accepted has the name of its listener (unp_connect); the connecting side has none.
      if (one.name === '' || (one.stream && one.peer === null)) return [];
      if (!one.stream) return [unknown(one.name)];
      return [{ by: 'connection', at: one.name, from: null, peers: one.peer === null ? null : [one.peer] }];
    }
    case 'unknown':
      return [unknown('one of its open files can not be read')];
    case 'pipe':
    case 'file':
    case 'other':
      return [];
  }
};

/**
 * Returns the connections made to each of these processes. The other end of a connection inside the
 * machine is found where one of them holds it: other users' sockets can't be seen, so any other end
 * is unknown and counts as a client.
 * @throws ProcessTableUnreadable
 */
export const possibleClients = (
  kernel: DarwinKernel,
  processes: readonly AskedProcess[],
): readonly (readonly PossibleClient[])[] => {
  const held = processes.map(({ pid }) => readDescriptors(kernel, pid));
  const byEnds = new Map(
    held.flatMap((found) =>
      (found?.all ?? []).flatMap((one) =>
        one.kind === 'internet' && one.state === 'connected' ? [[`${one.local} ${one.remote}`, one.socket]] : [],
      ),
    ) as readonly (readonly [string, string])[],
  );
  return processes.map(({ ports }, index) => {
    const found = held[index] ?? null;
    if (found === null) return [unknown('its open files can not be seen')];
    const more = found.complete ? [] : [unknown('it has more open files than are looked at')];
    return [...found.all.flatMap((one) => servedBy(one, ports, byEnds)), ...more];
  });
};

const terminal = /^\/dev\/(?:ttys?\w*|console|ptmx)$/u;

const kindOf = (one: Descriptor): StandardKind => {
  switch (one.kind) {
    case 'local':
      return one.name === '' && one.peerName === '' && one.stream ? 'pair' : 'named';
    case 'pipe':
      return 'pipe';
    case 'internet':
    case 'other':
      return 'other';
    case 'unknown':
      return 'unknown';
    case 'file':
      if (one.path === '') return 'unknown';
      if (one.path === '/dev/null') return 'null';
      return one.is === 'device' && terminal.test(one.path) ? 'terminal' : 'file';
  }
};

const channelOf = (one: Descriptor): readonly HeldChannel[] => {
  if (one.kind === 'pipe') return [{ fd: one.fd, kind: 'pipe', end: one.end, otherEnd: one.peer, far: one.far }];
  if (one.kind !== 'local' || kindOf(one) !== 'pair') return [];
  return [{ fd: one.fd, kind: 'pair', end: one.socket, otherEnd: one.peer, far: one.far }];
};

const channelsIn = ({ all, complete }: Descriptors): ProcessChannels => {
  const standard = (fd: number): StandardEnd => {
    const one = all.find((file) => file.fd === fd);
    if (one === undefined) return { kind: 'missing', far: 'unknown' };
    return { kind: kindOf(one), far: channelOf(one)[0]?.far ?? 'unknown' };
  };
  return {
    standard: [standard(0), standard(1), standard(2)],
    held: all.flatMap(channelOf),
    listens: all.flatMap((one) => (one.kind === 'local' && one.name !== '' && one.peer === null ? [one.name] : [])),
    complete: complete && all.every(({ kind }) => kind !== 'unknown'),
  };
};

/** Begins a round of questions about private channels; each process is read once in it. */
export const channelRound = (kernel: DarwinKernel): ChannelRound => {
  const known = new Map<number, Descriptors | null>();
  const read = (pid: number): Descriptors | null => {
    let found = known.get(pid);
    if (found === undefined) known.set(pid, (found = readDescriptors(kernel, pid)));
    return found;
  };
  return {
    of: (pid) => {
      const found = read(pid);
      return found === null ? null : channelsIn(found);
    },
    ends: (pid) => {
      const found = read(pid);
      return found === null
        ? null
        : new Set(
            found.all.flatMap((one) =>
              one.kind === 'pipe' ? [one.end] : one.kind === 'local' || one.kind === 'internet' ? [one.socket] : [],
            ),
          );
    },
    ownEnds: () => null,
  };
};
