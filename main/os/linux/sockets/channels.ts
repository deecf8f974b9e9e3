import type {
  ChannelRound,
  FarEnd,
  HeldChannel,
  ProcessChannels,
  StandardEnd,
  StandardKind,
} from '../../../../app/process/channels.ts';
import type { OpenFile } from '../../../../app/process/facts.ts';
import { maxOpenFiles } from '../../files/open-file.ts';
import { openFilesOf } from '../proc/open-files.ts';
import type { ProcReader } from '../proc/proc-reader.ts';
import { openSockDiag, type SockDiag } from '../sock-diag/kernel.ts';
import type { UnixSocket } from '../sock-diag/unix.ts';
import { farEndOfPipe } from './pipe-end.ts';
import { socketInode } from './sockets.ts';

/**
 * After this many questions about single sockets all are requested at once: of 5,000 sockets one
 * question takes 0.05 ms, all of them 5.
 */
const maxQuestions = 100;

const terminalDevice = /^\/dev\/(?:pts\/\d+|ptmx|tty\w*|console)$/u;

const unknownEnd: StandardEnd = { kind: 'unknown', far: 'unknown' };

/** O_ACCMODE in the text of /proc/PID/fdinfo/N (octal `flags:`); null if it is missing. */
const accessIn = (text: string | null): 'read' | 'write' | 'both' | null => {
  const flags = /^flags:\s*([0-7]+)$/mu.exec(text ?? '')?.[1];
  if (flags === undefined) return null;
  return (['read', 'write', 'both'] as const)[Number.parseInt(flags, 8) & 3] ?? null;
};

/** What one open file is: a channel, or what else. `known` false: a socket that can't be asked. */
interface Seen {
  readonly kind: StandardKind;
  readonly channel: HeldChannel | null;
  readonly listens: string | null;
  readonly known: boolean;
}

const plain = (kind: StandardKind, known = true): Seen => ({ kind, channel: null, listens: null, known });

const plainKind = ({ target }: OpenFile): StandardKind => {
  if (target === '/dev/null') return 'null';
  if (terminalDevice.test(target)) return 'terminal';
  return target.startsWith('/') ? 'file' : 'other';
};

/**
 * The far ends of private channels, from the kernel's own tables (sock_diag) and by poll(2). What
 * is not found there (another network namespace, no koffi) is unknown, never closed. Each process
 * is read once in a round.
 */
class Round implements ChannelRound {
  readonly #reader: ProcReader;
  readonly #diag: SockDiag | null;
  readonly #known = new Map<number, ProcessChannels | null>();
  readonly #ends = new Map<number, ReadonlySet<string> | null>();
  readonly #sockets = new Map<string, UnixSocket | null>();
  #all: ReadonlyMap<string, UnixSocket> | null | undefined;

  constructor(reader: ProcReader, diag: SockDiag | null) {
    this.#reader = reader;
    this.#diag = diag;
  }

  readonly of = (pid: number): ProcessChannels | null => {
    let channels = this.#known.get(pid);
    if (channels === undefined) {
      channels = this.#read(pid);
      this.#known.set(pid, channels);
    }
    return channels;
  };

  readonly ends = (pid: number): ReadonlySet<string> | null => {
    let ends = this.#ends.get(pid);
    if (ends === undefined) {
      const files = openFilesOf(pid);
      ends = files === null ? null : new Set(files.flatMap((file) => this.#endsOf(pid, file)));
      this.#ends.set(pid, ends);
    }
    return ends;
  };

  #endsOf(pid: number, file: OpenFile): readonly string[] {
    if (socketInode(file.target) !== null) return [file.target];
    if (!file.target.startsWith('pipe:')) return [];
    const access = accessIn(this.#reader.readText(`/proc/${pid}/fdinfo/${file.fd}`, 4_096));
    if (access === null) return [];
    return access === 'both' ? [`${file.target} read`, `${file.target} write`] : [`${file.target} ${access}`];
  }

  #read(pid: number): ProcessChannels | null {
    const files = openFilesOf(pid);
    if (files === null) return null;
    const seen = files.map((file) => ({ fd: file.fd, ...this.#look(pid, file) }));
    const standard = (fd: number): StandardEnd => {
      const one = seen.find((file) => file.fd === fd);
      if (one === undefined) return { kind: 'missing', far: 'unknown' };
      return one.known ? { kind: one.kind, far: one.channel?.far ?? 'unknown' } : unknownEnd;
    };
    return {
      standard: [standard(0), standard(1), standard(2)],
      held: seen.flatMap(({ channel }) => channel ?? []),
      listens: seen.flatMap(({ listens }) => listens ?? []),
      complete: files.length < maxOpenFiles && seen.every(({ known }) => known),
    };
  }

  #look(pid: number, file: OpenFile): Seen {
    const inode = socketInode(file.target);
    if (inode !== null) return this.#socket(pid, file, inode);
    return file.target.startsWith('pipe:') ? this.#pipe(pid, file) : plain(plainKind(file));
  }

  #pipe(pid: number, { fd, target }: OpenFile): Seen {
    const access = accessIn(this.#reader.readText(`/proc/${pid}/fdinfo/${fd}`, 4_096));
    if (access === null) return plain('unknown', false);
    const reads = access !== 'write';
    // One descriptor for both directions holds its own other end.
    const far: FarEnd = access === 'both' ? 'open' : farEndOfPipe(pid, fd, target, reads);
    const channel: HeldChannel = {
      fd,
      kind: 'pipe',
      end: `${target} ${reads ? 'read' : 'write'}`,
      otherEnd: far === 'open' ? `${target} ${reads ? 'write' : 'read'}` : null,
      far,
    };
    return { kind: 'pipe', channel, listens: null, known: true };
  }

  #socket(pid: number, { fd, target }: OpenFile, inode: string): Seen {
    const socket = this.#ask(inode);
    if (socket === null) {
      const protocol = this.#diag?.protocolOf(pid, fd) ?? null;
      // A local socket that is not in the table is another network namespace's.
      return protocol === null || protocol.startsWith('UNIX') ? plain('unknown', false) : plain('other');
    }
    if (socket.listens) return { ...plain('named'), listens: socket.name ?? 'a local socket' };
    if (socket.name !== null) return plain('named');
    if (socket.peer === 'none') return plain('other');
    if (socket.peer === 'closed') return pair({ fd, kind: 'pair', end: target, otherEnd: null, far: 'closed' });
    const peer = this.#ask(socket.peer.inode);
    if (peer === null) return plain('unknown', false);
    // Its own connection to a service.
    if (peer.name !== null) return plain('named');
    return pair({ fd, kind: 'pair', end: target, otherEnd: `socket:[${peer.inode}]`, far: 'open' });
  }

  #ask(inode: string): UnixSocket | null {
    let socket = this.#sockets.get(inode);
    if (socket === undefined) {
      if (this.#sockets.size >= maxQuestions && this.#all === undefined) this.#all = this.#diag?.unixSockets() ?? null;
      // What is not in a dump may have come after it.
      socket = this.#all?.get(inode) ?? this.#diag?.unixSocket(inode) ?? null;
      this.#sockets.set(inode, socket);
    }
    return socket;
  }
}

const pair = (channel: HeldChannel): Seen => ({ kind: 'pair', channel, listens: null, known: true });

/** Begins a round of questions about private channels. Nothing of an earlier round counts in it. */
export const channelRound = (reader: ProcReader, diag: SockDiag | null = openSockDiag()): ChannelRound =>
  new Round(reader, diag);
