/**
 * What is read of the processes of a job that has used up half of its time, because it costs more
 * than the facts of every look or is private before. `null` always means "the machine doesn't say",
 * which proves nothing.
 */

/** What a process waits for inside the kernel, of the few things one can wait for in vain. */
export type Wait =
  /** A read(2) that gives nothing; `fd` null where the machine doesn't say of what. */
  | { readonly kind: 'read'; readonly fd: number | null }
  /** Opening a named pipe whose other end no process opens. */
  | { readonly kind: 'open' }
  /** A lock that another process holds. */
  | { readonly kind: 'lock'; readonly fd: number | null }
  /** A time to pass. */
  | { readonly kind: 'sleep' }
  | { readonly kind: 'child' }
  | { readonly kind: 'other' };

export interface PipeEnd {
  readonly fd: number;
  /** As in OpenFile. */
  readonly target: string;
  readonly access: 'read' | 'write' | 'both';
}

export interface Connection {
  /** Inode of its socket: the same number is the same connection. */
  readonly inode: string;
  /** Address and port of the other side, `10.0.0.7:443` or `[2001:db8::1]:443`. */
  readonly remote: string;
  readonly local: string;
  /** The kernel asks the other side now and then whether it lives: a dead one is noticed. */
  readonly keptAlive: boolean;
  /** Bytes that were sent and not acknowledged. */
  readonly unacknowledgedBytes: number;
  /** Bytes that came and were not read. */
  readonly unreadBytes: number;
}

/** How much went over a connection since it was made, as far as the machine says. */
export interface Traffic {
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

/** Read of each process. */
export interface ProcessProbe {
  readonly wait: Wait | null;
  /** The kernel's function it sleeps in (wchan); null where it doesn't sleep, or unknown. */
  readonly place: string | null;
  readonly threads: number;
  /** How often its first thread yielded the processor: while the number stays, it has not slept. */
  readonly switches: number | null;
  /** Its first thread's processor time, milliseconds; null without other threads, or unknown. */
  readonly firstThreadCpuMs: number | null;
  /** Pages of memory that it touched for the first time, without the disk. */
  readonly minorFaults: number | null;
  /** Written through write(2) and its kind, to whatever it was; not what went through send(2). */
  readonly writtenBytes: number | null;
  readonly swapBytes: number | null;
  readonly descriptors: number | null;
  /** The soft limit of the number of descriptors; null for none. */
  readonly descriptorLimit: number | null;
  readonly pipes: readonly PipeEnd[];
  readonly connections: readonly Connection[];
  /** The process that the kernel names as the holder of the lock it waits for. */
  readonly lockHolder: number | null;
}

/** A process that has a file or pipe open. */
export interface Holder {
  readonly pid: number;
  readonly access: 'read' | 'write' | 'both';
  readonly locks: boolean;
}

/** The user's processes that have one file or pipe open. */
export interface Holders {
  readonly holders: readonly Holder[];
  /** False when not all processes could be looked into: then there may be others. */
  readonly complete: boolean;
}

export interface OutputFile {
  readonly path: string;
  readonly bytes: number;
  /** Free on its file system, for this user; null when not known. */
  readonly freeBytes: number | null;
}

/** How short memory is: of the machine, or of the control group that limits the job. */
export interface MemoryProbe {
  /** Share of the last minute in which something waited for memory (PSI `some avg60`), percent. */
  readonly pressurePercent: number;
  /** Whose: `machine`, or the path of the control group. */
  readonly of: string;
  /** All memory there is, or the limit of the control group; bytes. */
  readonly totalBytes: number | null;
}

export interface LockFile {
  readonly path: string;
  /** The process id that stands in it; null for none. */
  readonly pid: number | null;
}

/** Everything about one job. */
export interface JobProbe {
  readonly processes: ReadonlyMap<number, ProcessProbe>;
  /** By target, for those that were asked for. */
  readonly holders: ReadonlyMap<string, Holders>;
  readonly outputs: readonly OutputFile[];
  readonly memory: MemoryProbe | null;
  /** By the inode of the connection's socket; asked for only where one is held for long. */
  readonly traffic: ReadonlyMap<string, Traffic>;
  readonly lockFile: LockFile | null;
}
