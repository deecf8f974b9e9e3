import { statSync } from 'node:fs';
import type { Connection, PipeEnd, ProcessProbe, Wait } from '../../../../app/diagnose/probe.ts';
import type { MemberFacts, OpenFile } from '../../../../app/process/facts.ts';
import { writtenBytesIn } from '../facts/member-facts.ts';
import { accessIn } from '../proc/open-files.ts';
import { type ProcReader, statusField } from '../proc/proc-reader.ts';
import { socketInode, SocketTables } from '../sockets/sockets.ts';

/** System calls: arch/x86/entry/syscalls/syscall_64.tbl, and scripts/syscall.tbl for arm64. */
interface Calls {
  readonly read: readonly number[];
  readonly open: readonly number[];
  readonly flock: number;
  readonly fcntl: number;
  readonly sleep: readonly number[];
  readonly child: readonly number[];
}

const calls: Readonly<Partial<Record<NodeJS.Architecture, Calls>>> = {
  x64: { read: [0, 19], open: [2, 257], flock: 73, fcntl: 72, sleep: [35, 230], child: [61, 247] },
  arm64: { read: [63, 65], open: [56], flock: 32, fcntl: 25, sleep: [101, 115], child: [260, 95] },
};

/** F_SETLKW, F_OFD_SETLKW, which wait. man7.org/linux/man-pages/man2/F_GETLK.2const.html */
const waitingCommands = [7, 38];

/** Kernel functions to sleep in, as /proc/PID/wchan names them; seen on 5.10 to 6.18. */
const places: readonly (readonly [RegExp, Wait])[] = [
  [/pipe_(?:read|wait)/u, { kind: 'read', fd: null }],
  [/^(?:fifo_open|wait_for_partner)/u, { kind: 'open' }],
  [/^(?:locks_lock_inode_wait|flock_lock_inode_wait|posix_lock_inode_wait|fcntl_setlk)/u, { kind: 'lock', fd: null }],
  [/nanosleep/u, { kind: 'sleep' }],
  [/^do_wait/u, { kind: 'child' }],
];

const byPlace = (place: string | null): Wait | null =>
  place === null ? null : (places.find(([name]) => name.test(place))?.[1] ?? { kind: 'other' });

/**
 * Returns what a process waits for, from /proc/PID/syscall (the number of the system call and its
 * arguments in hexadecimal, `running` for none) and /proc/PID/wchan. Reading the first needs ptrace
 * rights, which Yama grants only over descendants; the second gives the kind of a wait, but never
 * the file. https://man7.org/linux/man-pages/man5/proc_pid_syscall.5.html
 * @returns null if neither says anything
 */
export const waitIn = (
  syscall: string | null,
  place: string | null,
  architecture: NodeJS.Architecture,
): Wait | null => {
  const [, call, first, second] = /^(\d+) 0x([0-9a-f]+) 0x([0-9a-f]+) /u.exec(syscall ?? '') ?? [];
  const known = calls[architecture];
  if (call === undefined || first === undefined || known === undefined) return byPlace(place);
  const number = Number(call);
  // A descriptor is an int, whatever the upper half of the register holds.
  const fd = Number.parseInt(first.slice(-8), 16);
  if (known.read.includes(number)) return { kind: 'read', fd };
  if (number === known.flock) return { kind: 'lock', fd };
  if (number === known.fcntl && waitingCommands.includes(Number.parseInt(second ?? '', 16)))
    return { kind: 'lock', fd };
  if (known.sleep.includes(number)) return { kind: 'sleep' };
  if (known.child.includes(number)) return { kind: 'child' };
  // Files, devices and network file systems can be slow to open; only wchan shows that it is a
  // named pipe.
  if (known.open.includes(number)) return byPlace(place)?.kind === 'open' ? { kind: 'open' } : { kind: 'other' };
  return { kind: 'other' };
};

/**
 * Returns the holder of the lock that a process waits for, by the waiter's pid, from the text of
 * /proc/locks. A line is a lock, `1: FLOCK ADVISORY WRITE 359 00:13:11691 0 EOF`; its waiters
 * follow with the same number and an arrow. Pids are those of the reader's namespace; 0 and -1
 * (locks of open files, F_OFD_SETLK) name no process.
 * https://man7.org/linux/man-pages/man5/proc_locks.5.html
 */
export const lockHoldersIn = (text: string): ReadonlyMap<number, number> => {
  const holders = new Map<number, number>();
  let held: { readonly number: string; readonly pid: number } | null = null;
  for (const line of text.split('\n')) {
    const [, number = '', arrow, pid = ''] =
      /^(\d+): +(?:(->) +)?(?:FLOCK|POSIX|OFDLCK) +\S+ +\S+ +(-?\d+) /u.exec(line) ?? [];
    if (number === '') continue;
    if (arrow === undefined) held = { number, pid: Number(pid) };
    else if (held?.number === number && held.pid > 0 && Number(pid) > 0) holders.set(Number(pid), held.pid);
  }
  return holders;
};

const maxPipes = 64;

/** Returns a number in the text of /proc/PID/status, or null. Sizes are in kB there. */
const statusNumber = (status: string, name: string): number | null => {
  const value = Number.parseInt(statusField(status, name) ?? '', 10);
  return Number.isNaN(value) ? null : value;
};

/** Returns the soft limit of files from the text of /proc/PID/limits; null: none, unreadable. */
export const descriptorLimitIn = (limits: string): number | null => {
  const value = /^Max open files\s+(\d+)\s/mu.exec(limits)?.[1];
  return value === undefined ? null : Number(value);
};

/** Returns minor faults: field 10 of /proc/PID/stat, 8th after the name; null: invalid. */
export const minorFaultsIn = (stat: string): number | null => {
  const value = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[7];
  return value !== undefined && /^\d+$/u.test(value) ? Number(value) : null;
};

/**
 * Returns the CPU time in ms in the text of a thread's /proc/PID/task/TID/schedstat, whose first
 * number is in nanoseconds, or null. https://docs.kernel.org/scheduler/sched-stats.html
 */
export const threadCpuMsIn = (schedstat: string): number | null => {
  const nanoseconds = /^(\d+) /u.exec(schedstat)?.[1];
  return nanoseconds === undefined ? null : Number(nanoseconds) / 1e6;
};

/** From Linux 6.2 the size of /proc/PID/fd is their number (proc_fd_getattr); 0 before. */
const descriptorsOf = (pid: number, files: readonly OpenFile[] | null): number | null => {
  try {
    const { size } = statSync(`/proc/${pid}/fd`);
    if (size > 0) return size;
  } catch {
    // Gone or not visible to us; the identity check afterwards decides.
  }
  return files?.length ?? null;
};

/** Reads what processes wait for and consume in one scan; tables are read at most once. */
export class ProcessProbes {
  readonly #reader: ProcReader;
  readonly #sockets: SocketTables;
  #lockHolders: ReadonlyMap<number, number> | null = null;

  constructor(reader: ProcReader) {
    this.#reader = reader;
    this.#sockets = new SocketTables(reader);
  }

  /** @throws ProcessTableUnreadable */
  read(pid: number, facts: MemberFacts | undefined): ProcessProbe {
    const text = (name: string): string | null => this.#reader.readText(`/proc/${pid}/${name}`, 8_192);
    const files = facts?.openFiles ?? null;
    const status = text('status') ?? '';
    const named = (text('wchan') ?? '').trim();
    const place = named === '' || named === '0' ? null : named;
    const wait = waitIn(text('syscall'), place, process.arch);
    const swap = statusNumber(status, 'VmSwap');
    const threads = statusNumber(status, 'Threads') ?? 0;
    return {
      wait,
      place,
      threads,
      switches: statusNumber(status, 'voluntary_ctxt_switches'),
      firstThreadCpuMs: threads > 1 ? threadCpuMsIn(text(`task/${pid}/schedstat`) ?? '') : null,
      minorFaults: minorFaultsIn(text('stat') ?? ''),
      writtenBytes: writtenBytesIn(text('io') ?? ''),
      swapBytes: swap === null ? null : swap * 1024,
      descriptors: descriptorsOf(pid, files),
      descriptorLimit: descriptorLimitIn(text('limits') ?? ''),
      pipes: wait?.kind === 'read' ? this.#pipes(pid, files ?? [], place) : [],
      connections: this.#connectionsOf(pid, files ?? []),
      lockHolder: wait?.kind === 'lock' ? (this.#holders().get(pid) ?? null) : null,
    };
  }

  /** Returns the ends of pipes. A path counts as a named pipe if the process waits at a pipe. */
  #pipes(pid: number, files: readonly OpenFile[], place: string | null): readonly PipeEnd[] {
    const ends: PipeEnd[] = [];
    for (const { fd, target } of files) {
      if (ends.length >= maxPipes) break;
      const isNamed = target.startsWith('/') && !target.startsWith('/dev/') && /pipe/u.test(place ?? '');
      if (!isNamed && !target.startsWith('pipe:')) continue;
      const access = accessIn(this.#reader.readText(`/proc/${pid}/fdinfo/${fd}`, 4_096) ?? '');
      if (access !== null) ends.push({ fd, target, access });
    }
    return ends;
  }

  #connectionsOf(pid: number, files: readonly OpenFile[]): readonly Connection[] {
    const inodes = new Set(files.map(({ target }) => socketInode(target)).filter((inode) => inode !== null));
    if (inodes.size === 0) return [];
    const table = this.#sockets.established(pid);
    return [...inodes].map((inode) => table.get(inode)).filter((one) => one !== undefined);
  }

  #holders(): ReadonlyMap<number, number> {
    return (this.#lockHolders ??= lockHoldersIn(this.#reader.readText('/proc/locks') ?? ''));
  }
}
