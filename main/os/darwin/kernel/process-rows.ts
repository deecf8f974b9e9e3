import { say } from '../../../../app/text/say.ts';
import type { ProcessState } from '../../../../app/process/row.ts';
import { ProcessTableUnreadable } from '../../processes/source.ts';
import { decodeAt, textAt } from './decode.ts';
import { darwinErrno, mibs, type DarwinKernel } from './kernel.ts';
import { processLayout, processName } from './layouts.ts';

export interface KernelRow {
  readonly pid: number;
  readonly ppid: number;
  readonly pgid: number;
  readonly uid: number;
  /** Device number of the controlling terminal, `consoleNumber` for the console; 0 for none. */
  readonly tty: number;
  readonly state: ProcessState;
  /** Microseconds since the epoch. */
  readonly startTicks: number;
  readonly comm: string;
  readonly leadsSession: boolean;
  /** A part of the kernel: `kernel_task`. */
  readonly kernel: boolean;
}

/** Rows that could be read, and how many could not. */
export interface KernelRows {
  readonly rows: readonly KernelRow[];
  readonly unread: number;
}

/** Flags of a process (sys/proc.h). */
const flag = { wide: 0x4, system: 0x200, traced: 0x800 } as const;
const sessionLeader = 2;
const noTerminal = -1;
/** /dev/console has device number 0, which stands for no terminal everywhere else. */
export const consoleNumber = 2 ** 32;

/**
 * No pid of macOS is higher: they wrap at 99,999 (bsd/sys/proc_internal.h: PID_MAX). Where they do
 * not, the rows above are unread, and `doctor` says how many.
 */
const maxPid = 99_999;

/** p_stat (sys/proc.h): `running` also stands for what sleeps. */
const stateOf = (status: number, flags: number): ProcessState => {
  if (status === 5) return 'Z';
  if ((flags & flag.traced) !== 0) return 't';
  if (status === 4) return 'T';
  return status >= 1 && status <= 3 ? 'S' : '?';
};

const isId = (value: number): boolean => value >= 0 && value <= maxPid;

/** Returns the row that starts at `at`; null where it can't be one. Never throws. */
const rowAt = (bytes: Buffer, at: number): KernelRow | null => {
  const fields = decodeAt(processLayout, bytes, at);
  const comm = textAt(bytes, at + processName.offset, processName.length);
  if (fields === null || comm === null) return null;
  const { pid, ppid, pgid, startSeconds, startMicroseconds, status, flags, terminal } = fields;
  if (!isId(pid) || !isId(ppid) || !isId(pgid)) return null;
  // Every program of macOS 10.15 and later is of 64 bits (P_LP64, which a fork and a zombie keep):
  // where the flag is missing these are no flags, and a debugger's would not be seen either.
  if (pid !== 0 && (flags & flag.wide) === 0) return null;
  if (startSeconds < 0 || startMicroseconds < 0 || startMicroseconds >= 1_000_000) return null;
  const startTicks = startSeconds * 1_000_000 + startMicroseconds;
  if (!Number.isSafeInteger(startTicks) || (startTicks === 0 && pid !== 0)) return null;
  return {
    pid,
    ppid,
    pgid,
    uid: fields.euid,
    tty: terminal === noTerminal ? 0 : terminal >>> 0 || consoleNumber,
    state: stateOf(status, flags),
    startTicks,
    comm,
    leadsSession: (fields.sessionFlags & sessionLeader) !== 0,
    kernel: pid === 0 || (flags & flag.system) !== 0,
  };
};

/**
 * Returns the rows in what KERN_PROC gave. A row that can't be one, or a pid that comes twice, is
 * left out and counted; so are bytes behind the last whole row. Never throws.
 */
export const rowsIn = (bytes: Buffer): KernelRows => {
  const rows = new Map<number, KernelRow>();
  const twice = new Set<number>();
  let unread = bytes.length % processLayout.size === 0 ? 0 : 1;
  for (let at = 0; at + processLayout.size <= bytes.length; at += processLayout.size) {
    const row = rowAt(bytes, at);
    if (row === null || rows.has(row.pid)) {
      unread += 1;
      if (row !== null) twice.add(row.pid);
    } else rows.set(row.pid, row);
  }
  for (const pid of twice) rows.delete(pid);
  return { rows: [...rows.values()], unread };
};

/** Rows that a first look has room for, and the most that is ever asked for. */
const firstRows = 4_096;
const maxRows = 131_072;

/** Reads the process table with one call; the room that was enough is kept for the next time. */
export class TableReader {
  readonly #kernel: DarwinKernel;
  #room = firstRows;

  constructor(kernel: DarwinKernel) {
    this.#kernel = kernel;
  }

  /** @throws ProcessTableUnreadable */
  read(): KernelRows {
    for (;;) {
      const { bytes, errno } = this.#kernel.sysctl(mibs.allProcesses, this.#room * processLayout.size);
      if (errno === 0) return rowsIn(bytes);
      if (errno === darwinErrno.ETIMEDOUT)
        throw new ProcessTableUnreadable(
          say('macOS does not tell its processes at the moment: one of them is held up while it starts a program.'),
        );
      if (errno !== darwinErrno.ENOMEM || this.#room >= maxRows)
        throw new ProcessTableUnreadable(say('The kernel did not give its process table (error {errno}).', { errno }));
      this.#room *= 2;
    }
  }
}

/**
 * Returns the row of one pid now; null where there is no such process.
 * @throws ProcessTableUnreadable where the kernel gives neither
 */
export const readRow = (kernel: DarwinKernel, pid: number): KernelRow | null => {
  const { bytes, errno } = kernel.sysctl(mibs.process(pid), processLayout.size);
  if (errno === darwinErrno.ESRCH || (errno === 0 && bytes.length === 0)) return null;
  const row = errno === 0 ? rowsIn(bytes) : null;
  const [found] = row?.rows ?? [];
  if (found === undefined || row?.unread !== 0 || found.pid !== pid)
    throw new ProcessTableUnreadable(
      say('The kernel did not give the row of process {pid} (error {errno}).', { pid, errno }),
    );
  return found;
};
