import type { WindowsFacts } from './windows.ts';

/**
 * What is read of one process only on demand, because it costs more than a row or is private unless
 * the process is a candidate. `null` always means "could not be read", which proves nothing.
 */

export interface OpenFile {
  readonly fd: number;
  /** Path without ` (deleted)`; `pipe:[…]`, `socket:[…]`, `anon_inode:…` where it is no file. */
  readonly target: string;
  /** The file was unlinked while open. */
  readonly deleted: boolean;
}

/** A display (X, Wayland) that a process is connected to: it shows windows there, or may. */
export interface DisplayLink {
  /** The socket of the display, or its address. */
  readonly at: string;
  /** Inode of the display's end; null where that isn't on this machine, or is not told. */
  readonly peer: string | null;
}

/**
 * Which of launchd's coalitions a process is in. A coalition passes on by fork, and only launchd
 * starts a process in another: an app, or a job of its own.
 */
export interface LaunchFacts {
  readonly coalition: number;
  /** launchd started it, and no older process of the user is in its coalition. */
  readonly leads: boolean;
}

/** Allow-listed environment: other names never reach memory, screen or disk. */
export type MarkerEnvironment = Readonly<Record<string, string>>;

/** A path per control group hierarchy, as /proc/PID/cgroup has it (`""`: the unified one). */
export type ControlGroups = Readonly<Record<string, string>>;

/** Read of each process of the user at first sight and after exec: what tells whose it is. */
export interface OriginFacts {
  /** null: not readable (another user's, gone, hidden). */
  readonly environment: MarkerEnvironment | null;
}

/** Bytes read and written through system calls so far, and the number of those calls. */
export interface IoCounts {
  readonly readBytes: number;
  readonly writtenBytes: number;
  readonly reads: number;
  readonly writes: number;
}

/** Read for each process of a job. */
export interface MemberFacts extends OriginFacts {
  readonly cwd: string | null;
  readonly cwdDeleted: boolean;
  readonly executable: string | null;
  readonly openFiles: readonly OpenFile[] | null;
  /** It may have more open files than these (Windows). Left out where all are told. */
  readonly furtherFiles?: true;
  readonly cgroups: ControlGroups | null;
  /** The pid namespace's inode; null when unreadable. Processes of containers have another. */
  readonly pidNamespace: string | null;
  /** Bytes read and written through system calls so far; null when not readable. */
  readonly ioBytes: number | null;
  /** The same, each way with its system calls. Left out where the machine does not tell them. */
  readonly ioCounts?: IoCounts;
  readonly ports: readonly number[];
  /** Paths on which it listens with a local socket. Left out where that is not told. */
  readonly listens?: readonly string[];
  /** It reads a named pipe, or waits until one is written to. Left out where neither is known. */
  readonly readsPipe?: true;
  readonly sockets: number;
  /** The descriptor it is blocked reading; null when it isn't, or when that is unreadable. */
  readonly blockedReading: number | null;
  /**
   * Of a program that only forwards to a TCP port of this machine: whether a process listens on
   * that port where it runs. Left out for all others, and where that can't be told.
   */
  readonly forwards?: 'answered' | 'unanswered';
  /**
   * Why `environment` is null on a machine that shows environments: the process has written over
   * it, or the kernel refuses it. Left out where it was read, and on machines that show none.
   */
  readonly hidden?: 'rewritten' | 'refused';
  /** The program image: another after exec, the same in forks. Left out where unknown. */
  readonly image?: string;
  /** What traces this one (debugger, strace), 0 if out of sight. Left out: not traced. */
  readonly tracer?: number;
  readonly locks: readonly string[];
  /**
   * How launchd keeps it. `untold`: the kernel, which tells it, did not answer. Left out on systems
   * without launchd, and by readers that never tell it.
   */
  readonly launched?: LaunchFacts | 'untold';
  /** Displays that it is connected to. Left out where the machine is not asked for that. */
  readonly displays?: readonly DisplayLink[];
  /** Set on Windows, and nowhere else. */
  readonly windows?: WindowsFacts;
}

export const unknownFacts: MemberFacts = {
  environment: null,
  cwd: null,
  cwdDeleted: false,
  executable: null,
  openFiles: null,
  cgroups: null,
  pidNamespace: null,
  ioBytes: null,
  ports: [],
  sockets: 0,
  blockedReading: null,
  locks: [],
};
