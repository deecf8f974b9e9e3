import { say } from '../../../app/text/form.ts';
import type { StandardEnd } from '../../../app/model/reach.ts';
import type { ChannelRound, FarEnd } from '../../../app/process/channels.ts';
import type { OpenFile } from '../../../app/process/facts.ts';
import { type EndsInput, agentEndsOf, sameInputIn } from '../linux/probe/agent-ends.ts';
import { Round } from '../linux/sockets/channels.ts';
import { type FarSideTools, endsOf } from '../linux/sockets/far-side.ts';
import { socketInode } from '../linux/sockets/sockets.ts';
import type { EndsProbing } from '../processes/probing.ts';
import type { ObservedProcess } from './observed-process.ts';
import { remoteFiles, startTicksIn } from './rows.ts';
import type { RemoteWorld } from './world.ts';

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

export interface RemoteEndsInput {
  /** Null for a process that was another one before or after. */
  readonly observed: (pid: number) => ObservedProcess | null;
  readonly ends: Pick<FarEnds, 'terminals'>;
  readonly tools: FarSideTools;
  readonly channels: ChannelRound;
}

const deviceIn = ({ terminals }: Pick<FarEnds, 'terminals'>, pid: number, fd: 0 | 1, link: string): StandardEnd => {
  const terminal = terminals.get(`${pid} ${fd}`);
  if (terminal !== undefined) return { kind: 'terminal', ...terminal };
  const why = link.startsWith('/dev/pts/')
    ? say('whether its terminal is hung up can’t be seen')
    : say('its input or output is a device');
  return { kind: 'unknown', why };
};

const inputOf = ({ observed, ends, tools }: RemoteEndsInput): EndsInput => ({
  tools,
  link: (pid, fd) => observed(pid)?.links.get(`fd/${fd}`)?.target ?? null,
  device: (pid, fd, link) => deviceIn(ends, pid, fd, link),
  text: (pid, file) => observed(pid)?.[file] ?? '',
});

/**
 * Where standard input and output of agents on another machine lead, as its latest answer said.
 * Which process holds a terminal is not told.
 */
export const remoteEndsProbing = (latest: () => RemoteEndsInput | null): EndsProbing => ({
  isCurrent: false,
  read: ({ pid, startTicks }) => {
    const input = latest();
    const process = input?.observed(pid) ?? null;
    if (input === null || process === null || startTicksIn(process.stat ?? '') !== startTicks) return null;
    return agentEndsOf(inputOf(input), pid);
  },
  sameInput: (pid, other) => {
    const input = latest();
    return input !== null && sameInputIn(inputOf(input), pid, other);
  },
  moved: () => null,
  holders: (end, pids) => {
    const input = latest();
    if (input === null || end.kind !== 'channel') return { pids: [], complete: false };
    const wanted = end.side === 'both' ? [end.target] : [`${end.target} ${end.side}`];
    const asked = [...pids].map((pid) => ({ pid, ends: input.channels.ends(pid) }));
    return {
      pids: asked.flatMap(({ pid, ends }) => (wanted.some((one) => one !== null && ends?.has(one)) ? [pid] : [])),
      complete: asked.every(({ ends }) => ends !== null),
    };
  },
});

export interface ChannelsInput {
  /** Null for a process that was another one before or after. */
  readonly observed: (pid: number) => ObservedProcess | null;
  readonly all: () => Iterable<ObservedProcess>;
  readonly ends: FarEnds;
  readonly world: Pick<RemoteWorld, 'local' | 'network' | 'isNoConnection'>;
}

const filesOf = (process: ObservedProcess | null): readonly OpenFile[] | null =>
  process === null ? null : remoteFiles(process);

const heldEndsIn = (all: Iterable<ObservedProcess>): ReadonlySet<string> =>
  new Set(
    [...all].flatMap((process) => {
      const access = (_pid: number, fd: number): ReturnType<FarSideTools['access']> => process.access.get(fd) ?? null;
      return (remoteFiles(process) ?? []).flatMap((file) => endsOf({ access }, process.pid, file));
    }),
  );

/**
 * What one answer tells of the other sides of open files: of sockets by ss, of pipes by poll(2)
 * through perl. What neither tells is unknown, never closed.
 */
export const recordedFarSides = ({ observed, all, ends, world }: ChannelsInput): FarSideTools => {
  let held: ReadonlySet<string> | null = null;
  const peerOf = (inode: string): { readonly inode: string } | 'closed' | 'none' | 'unknown' => {
    const { peer, shut = null } = ends.sockets?.get(inode) ?? { peer: null };
    if (peer === null) return 'unknown';
    if (peer !== '0') return { inode: peer };
    // Without another end, and not shut: its own connection, which was not accepted yet.
    return shut === null ? 'unknown' : shut ? 'closed' : 'none';
  };
  return {
    socket: (inode) => {
      const socket = world.local(0, inode);
      return socket === null ? null : { ...socket, peer: peerOf(inode) };
    },
    protocolOf: (pid, fd) => {
      const inode = socketInode(observed(pid)?.links.get(`fd/${fd}`)?.target ?? '');
      if (inode === null) return null;
      const isElse = world.network(pid)?.byInode.has(inode) === true || world.isNoConnection(pid, null, inode) !== null;
      return isElse ? 'another' : null;
    },
    access: (pid, fd) => observed(pid)?.access.get(fd) ?? null,
    polled: (pid, fd, target, reads): FarEnd => {
      const polled = ends.pipes.get(`${pid} ${fd}`);
      if (polled !== undefined) return polled;
      // A process that is seen to hold the other end is proof that it is open.
      held ??= heldEndsIn(all());
      return held.has(`${target} ${reads ? 'write' : 'read'}`) ? 'open' : 'unknown';
    },
  };
};

export class RemoteChannels extends Round {
  readonly #observed: ChannelsInput['observed'];

  constructor(tools: FarSideTools, observed: ChannelsInput['observed']) {
    super({
      ...tools,
      files: (pid) => filesOf(observed(pid)),
      closesOnExec: () => null,
      unseenSocket: 'channel',
    });
    this.#observed = observed;
  }

  /**
   * Returns the sockets and pipes of a process, each with whether its other end is closed, in the
   * form in which confirm.sh reads them again; null where they can't be seen.
   */
  evidence(pid: number): string | null {
    const process = this.#observed(pid);
    const files = filesOf(process);
    const channels = this.of(pid);
    if (process === null || files === null || channels === null) return null;
    const letters: Readonly<Record<string, string>> = { read: 'r-x', write: '-wx', both: 'rwx' };
    return files
      .filter(({ target }) => socketInode(target) !== null || target.startsWith('pipe:'))
      .map(({ fd, target }) => {
        const mode = letters[process.access.get(fd) ?? ''] ?? '';
        return { line: `${fd} ${mode} ${target}`, far: channels.held.find((one) => one.fd === fd)?.far };
      })
      .toSorted((left, right) => (left.line < right.line ? -1 : 1))
      .map(({ line, far }) => `${line} ${far === 'closed' ? 'closed' : 'other'}\u001F`)
      .join('');
  }
}
