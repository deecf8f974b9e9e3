import type {
  ChannelRound,
  HeldChannel,
  ProcessChannels,
  StandardEnd,
  StandardKind,
} from '../../../../app/process/channels.ts';
import { kept } from '../../../../app/format/kept.ts';
import type { OpenFile } from '../../../../app/process/facts.ts';
import { maxOpenFiles } from '../../files/held-file.ts';
import { closesOnExecIn, openFilesOf } from '../proc/open-files.ts';
import type { ProcReader } from '../proc/proc-reader.ts';
import { type SockDiag, openSockDiag } from '../sock-diag/kernel.ts';
import type { UnixSocket } from '../sock-diag/unix.ts';
import { type FarSideTools, askingKernel, endsOf, farSideOf } from './far-side.ts';
import { socketInode } from './sockets.ts';

/** What one open file is: a channel, or what else. `known` false: a socket that can't be asked. */
export interface SeenFile {
  readonly kind: StandardKind;
  readonly channel: HeldChannel | null;
  readonly listens: string | null;
  readonly known: boolean;
}

const terminalDevice = /^\/dev\/(?:pts\/\d+|ptmx|tty\w*|console)$/u;

/** Returns what an open file is that is neither socket nor pipe. */
const plainKind = ({ target }: OpenFile): StandardKind => {
  if (target === '/dev/null') return 'null';
  if (terminalDevice.test(target)) return 'terminal';
  return target.startsWith('/') ? 'file' : 'other';
};

/** Beyond this many questions all are asked at once: 5,000 sockets take 5 ms, one 0.05. */
const maxQuestions = 100;

const unknownEnd: StandardEnd = { kind: 'unknown', far: 'unknown' };

const plain = (kind: StandardKind, known = true): SeenFile => ({ kind, channel: null, listens: null, known });

export interface RoundTools extends FarSideTools {
  /** The open files of a process; null where they can't be seen. */
  readonly files: (pid: number) => readonly OpenFile[] | null;
  /** Whether an open file of a process closes on exec; null where that is not told. */
  readonly closesOnExec: (pid: number, fd: number) => boolean | null;
  /**
   * A socket of which nothing is known: not told of, or told as a private channel whose other end
   * is unknown, so that what has it is left alone.
   */
  readonly unseenSocket: 'untold' | 'channel';
}

export class Round implements ChannelRound {
  readonly #tools: RoundTools;
  readonly #known = new Map<number, ProcessChannels | null>();
  readonly #ends = new Map<number, ReadonlySet<string> | null>();

  constructor(tools: RoundTools) {
    this.#tools = tools;
  }

  readonly of = (pid: number): ProcessChannels | null => kept(this.#known, pid, () => this.#read(pid));

  readonly ends = (pid: number): ReadonlySet<string> | null =>
    kept(this.#ends, pid, () => {
      const files = this.#tools.files(pid);
      return files === null ? null : new Set(files.flatMap((file) => endsOf(this.#tools, pid, file)));
    });

  readonly ownEnds = (pid: number): ReadonlySet<string> | null => {
    const files = this.#tools.files(pid) ?? [];
    const seen = files.map((file) => ({ file, closes: this.#tools.closesOnExec(pid, file.fd) }));
    // Its standard ends tell whether it marked what it was handed, too.
    const standard = seen.filter(({ file }) => file.fd <= 2);
    if (standard.length === 0 || standard.some(({ closes }) => closes !== false)) return null;
    const endsIn = (own: boolean): readonly string[] =>
      seen.flatMap(({ file, closes }) => ((closes === true) === own ? endsOf(this.#tools, pid, file) : []));
    // A copy of an end that it was handed closes on exec, beside the end that does not.
    const handed = new Set(endsIn(false));
    return new Set(endsIn(true).filter((end) => !handed.has(end)));
  };

  #read(pid: number): ProcessChannels | null {
    const files = this.#tools.files(pid);
    if (files === null) return null;
    const seen = files.map((file) => ({ fd: file.fd, ...this.#look(pid, file) }));
    const standard = (fd: number): StandardEnd => {
      const one = seen.find((file) => file.fd === fd);
      if (one === undefined) return { kind: 'missing', far: 'unknown' };
      return one.known || one.channel !== null ? { kind: one.kind, far: one.channel?.far ?? 'unknown' } : unknownEnd;
    };
    return {
      standard: [standard(0), standard(1), standard(2)],
      held: seen.flatMap(({ channel }) => channel ?? []),
      listens: seen.flatMap(({ listens }) => listens ?? []),
      complete: files.length < maxOpenFiles && seen.every(({ known }) => known),
    };
  }

  #look(pid: number, file: OpenFile): SeenFile {
    const far = farSideOf(this.#tools, pid, file);
    if (far === null) return plain(plainKind(file));
    switch (far.kind) {
      case 'channel':
        return { kind: far.channel.kind, channel: far.channel, listens: null, known: true };
      case 'named':
        return { ...plain('named'), listens: far.listens };
      case 'other':
        return plain('other');
      case 'unknown':
        if (this.#tools.unseenSocket === 'untold' || socketInode(file.target) === null) return plain('unknown', false);
        return {
          ...plain('pair', false),
          channel: { fd: file.fd, kind: 'pair', end: file.target, otherEnd: null, far: 'unknown' },
        };
    }
  }
}

/**
 * Begins a round of questions about private channels, told from the kernel's own tables (sock_diag)
 * and by poll(2). What is not found there (another network namespace, no koffi) is unknown, never
 * closed. Nothing of an earlier round counts in it.
 */
export const channelRound = (reader: ProcReader, openDiag: () => SockDiag | null = openSockDiag): ChannelRound => {
  const sockets = new Map<string, UnixSocket | null>();
  let all: ReadonlyMap<string, UnixSocket> | null | undefined;
  const socket = (inode: string): UnixSocket | null => {
    let found = sockets.get(inode);
    if (found === undefined) {
      if (sockets.size >= maxQuestions && all === undefined) all = openDiag()?.unixSockets() ?? null;
      // What is not in a dump may have come after it.
      found = all?.get(inode) ?? openDiag()?.unixSocket(inode) ?? null;
      sockets.set(inode, found);
    }
    return found;
  };
  return new Round({
    ...askingKernel(reader, openDiag),
    socket,
    files: openFilesOf,
    closesOnExec: (pid, fd) => closesOnExecIn(reader.readText(`/proc/${pid}/fdinfo/${fd}`, 4_096) ?? ''),
    unseenSocket: 'untold',
  });
};
