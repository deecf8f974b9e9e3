/**
 * The other end of a private channel (a pair of unnamed sockets, a pipe). `closed` is final: no
 * process can ever get hold of it again. `unknown`: it can't be asked, which proves nothing.
 */
export type FarEnd = 'open' | 'closed' | 'unknown';

/** A private channel that a process holds: no other process can reach it by a name. */
export interface HeldChannel {
  readonly fd: number;
  readonly kind: 'pair' | 'pipe';
  /** Names this end; the same for every process that holds it. */
  readonly end: string;
  /** Names the other end; null where it is closed or unknown. */
  readonly otherEnd: string | null;
  readonly far: FarEnd;
}

/**
 * What standard input, output or error is. `named`: a socket with a path, or a connection to one,
 * or a FIFO. `missing`: the process has closed it.
 */
export type StandardKind =
  | HeldChannel['kind']
  | 'null'
  | 'file'
  | 'terminal'
  | 'named'
  | 'other'
  | 'missing'
  | 'unknown';

export interface StandardEnd {
  readonly kind: StandardKind;
  /** Of a private channel; else `unknown`. */
  readonly far: FarEnd;
}

/** All private channels of a process, at one moment. */
export interface ProcessChannels {
  readonly standard: readonly [StandardEnd, StandardEnd, StandardEnd];
  readonly held: readonly HeldChannel[];
  /** Names of the local sockets on which it listens. */
  readonly listens: readonly string[];
  /** False where a socket of it can't be asked, or it has more open files than are looked at. */
  readonly complete: boolean;
}

/** The channels of a machine's processes, asked anew in each round. */
export interface ChannelRound {
  /**
   * The system tells of no far end whether it is closed (Windows), and `otherEnd` is what parentage
   * makes likely. Left out where far ends are told.
   */
  readonly farEnds?: 'untold';
  /** Returns the channels of a process; null where its open files can't be seen, or it is gone. */
  readonly of: (pid: number) => ProcessChannels | null;
  /**
   * Returns the names of all ends of sockets and pipes that a process holds, without asking for
   * the other ends; null where they can't be seen.
   */
  readonly ends: (pid: number) => ReadonlySet<string> | null;
  /**
   * Returns those of its ends that it opened itself since it became its program: they close on
   * exec, so none was handed on by that. Null where that is not told, or where the program marked
   * what it was handed likewise, as Node does (uv_disable_stdio_inheritance).
   */
  readonly ownEnds: (pid: number) => ReadonlySet<string> | null;
}

/** True for a private channel. */
export const isChannel = ({ kind }: StandardEnd): boolean => kind === 'pair' || kind === 'pipe';
