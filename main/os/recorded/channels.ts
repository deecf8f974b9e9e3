import type { ChannelRound, FarEnd, HeldChannel, ProcessChannels, StandardEnd } from '../../../app/process/channels.ts';
import type { OpenFile } from '../../../app/process/facts.ts';
import { maxOpenFiles } from '../files/open-file.ts';
import { socketInode } from '../linux/sockets/sockets.ts';
import { plainKind, type SeenFile } from '../linux/sockets/seen-file.ts';
import type { FarEnds } from './far-ends.ts';
import type { ObservedProcess } from './observed-process.ts';
import type { RemoteWorld } from './world.ts';
import { remoteFiles } from './rows.ts';

export interface ChannelsInput {
  /** Null for a process that was another one before or after. */
  readonly observed: (pid: number) => ObservedProcess | null;
  readonly all: () => Iterable<ObservedProcess>;
  readonly ends: FarEnds;
  readonly world: Pick<RemoteWorld, 'local' | 'network' | 'isNoConnection'>;
}

const isPipe = (target: string): boolean => /^pipe:\[\d+\]$/u.test(target);

/** The names of the ends that an open file is. */
const endsOfFile = ({ target }: OpenFile, access: string | undefined): readonly string[] => {
  if (socketInode(target) !== null) return [target];
  if (!isPipe(target) || access === undefined) return [];
  return access === 'both' ? [`${target} read`, `${target} write`] : [`${target} ${access}`];
};

const endsOf = (process: ObservedProcess): ReadonlySet<string> | null => {
  const files = remoteFiles(process);
  return files === null ? null : new Set(files.flatMap((file) => endsOfFile(file, process.access.get(file.fd))));
};

/**
 * The private channels of another machine's processes, as one answer told of them: pairs of sockets
 * by ss, pipes by poll(2) through perl. What neither tells is unknown, never closed. A socket of
 * which nothing is known counts as a private channel: then what has it is left alone.
 */
export class RemoteChannels implements ChannelRound {
  readonly #input: ChannelsInput;
  readonly #known = new Map<number, ProcessChannels | null>();
  #held: ReadonlySet<string> | null = null;

  constructor(input: ChannelsInput) {
    this.#input = input;
  }

  readonly of = (pid: number): ProcessChannels | null => {
    let channels = this.#known.get(pid);
    if (channels === undefined) {
      const process = this.#input.observed(pid);
      channels = process === null ? null : this.#read(process);
      this.#known.set(pid, channels);
    }
    return channels;
  };

  readonly ends = (pid: number): ReadonlySet<string> | null => {
    const process = this.#input.observed(pid);
    return process === null ? null : endsOf(process);
  };

  /**
   * Returns the sockets and pipes of a process, each with whether its other end is closed, in the
   * form in which confirm.sh reads them again; null where they can't be seen.
   */
  evidence(pid: number): string | null {
    const process = this.#input.observed(pid);
    const files = process === null ? null : remoteFiles(process);
    const channels = this.of(pid);
    if (process === null || files === null || channels === null) return null;
    const letters: Readonly<Record<string, string>> = { read: 'r-x', write: '-wx', both: 'rwx' };
    return files
      .filter(({ target }) => socketInode(target) !== null || isPipe(target))
      .map(({ fd, target }) => {
        const mode = letters[process.access.get(fd) ?? ''] ?? '';
        return { line: `${fd} ${mode} ${target}`, far: channels.held.find((one) => one.fd === fd)?.far };
      })
      .toSorted((left, right) => (left.line < right.line ? -1 : 1))
      .map(({ line, far }) => `${line} ${far === 'closed' ? 'closed' : 'other'}\u001F`)
      .join('');
  }

  #read(process: ObservedProcess): ProcessChannels | null {
    const files = remoteFiles(process);
    if (files === null) return null;
    const seen = files.map((file) => ({ fd: file.fd, ...this.#look(process, file) }));
    const standard = (fd: number): StandardEnd => {
      const one = seen.find((file) => file.fd === fd);
      return one === undefined
        ? { kind: 'missing', far: 'unknown' }
        : { kind: one.kind, far: one.channel?.far ?? 'unknown' };
    };
    return {
      standard: [standard(0), standard(1), standard(2)],
      held: seen.flatMap(({ channel }) => channel ?? []),
      listens: seen.flatMap(({ listens }) => listens ?? []),
      complete: files.length < maxOpenFiles && seen.every(({ known }) => known),
    };
  }

  #look(process: ObservedProcess, file: OpenFile): SeenFile {
    const inode = socketInode(file.target);
    if (inode !== null) return this.#socket(process, file, inode);
    if (isPipe(file.target)) return this.#pipe(process, file);
    return { kind: plainKind(file), channel: null, listens: null, known: true };
  }

  #socket({ pid }: ObservedProcess, file: OpenFile, inode: string): SeenFile {
    const { world, ends } = this.#input;
    const other = { kind: 'other', channel: null, listens: null, known: true } as const;
    const named = (listens: string | null): SeenFile => ({ kind: 'named', channel: null, listens, known: true });
    const pair = (far: FarEnd, otherEnd: string | null = null): SeenFile => ({
      kind: 'pair',
      channel: { fd: file.fd, kind: 'pair', end: file.target, otherEnd, far },
      listens: null,
      known: far !== 'unknown',
    });
    const socket = world.local(pid, inode);
    if (socket === null) {
      const isElse = world.network(pid)?.byInode.has(inode) === true || world.isNoConnection(pid, file, inode) !== null;
      return isElse ? other : pair('unknown');
    }
    if (socket.listens) return named(socket.name ?? 'a local socket');
    if (socket.name !== null) return named(null);
    const told = ends.sockets?.get(inode);
    if (told === undefined) return pair('unknown');
    // Without another end, and not shut: its own connection, which was not accepted yet.
    if (told.peer === '0' && told.shut === false) return other;
    if (told.peer === '0') return pair(told.shut === true ? 'closed' : 'unknown');
    const peer = world.local(pid, told.peer);
    if (peer === null) return pair('unknown');
    return peer.name === null ? pair('open', `socket:[${told.peer}]`) : named(null);
  }

  #pipe(process: ObservedProcess, { fd, target }: OpenFile): SeenFile {
    const access = process.access.get(fd);
    if (access === undefined) return { kind: 'unknown', channel: null, listens: null, known: false };
    const [own, other] = access === 'write' ? (['write', 'read'] as const) : (['read', 'write'] as const);
    const polled = access === 'both' ? 'open' : this.#input.ends.pipes.get(`${process.pid} ${fd}`);
    // A process that is seen to hold the other end is proof that it is open.
    const far: FarEnd = polled ?? (this.#isHeld(`${target} ${other}`) ? 'open' : 'unknown');
    const otherEnd = far === 'open' ? `${target} ${other}` : null;
    const channel: HeldChannel = { fd, kind: 'pipe', end: `${target} ${own}`, otherEnd, far };
    return { kind: 'pipe', channel, listens: null, known: true };
  }

  /** Whether a process that could be looked into holds an end. */
  #isHeld(end: string): boolean {
    this.#held ??= new Set([...this.#input.all()].flatMap((process) => [...(endsOf(process) ?? [])]));
    return this.#held.has(end);
  }
}
