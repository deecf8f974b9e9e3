import type { GroupId, KernelSessionId, Pid } from './identity.ts';
import type { WindowsTraits } from './windows.ts';

/**
 * The state letter of the kernel: running, sleeping, uninterruptible (disk), stopped, traced,
 * zombie, dead, idle, and `?` for a letter that this version doesn't know.
 * https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
export type ProcessState = 'R' | 'S' | 'D' | 'T' | 't' | 'Z' | 'X' | 'I' | '?';

/**
 * The numbers that macOS gives to processes, none of them twice in a boot. They survive what start
 * times and pids do not tell: a parent that has ended.
 */
export interface ProcessNumbers {
  readonly own: number;
  /** That of the process that started it, as of first sight: an orphan's exec replaces it. */
  readonly starter: number;
}

/** One row of the table. `comm` and `argv` are text that an attacker controls. */
export interface ProcessRow {
  readonly pid: Pid;
  readonly ppid: Pid;
  readonly pgid: GroupId;
  readonly sid: KernelSessionId;
  /** Device number of the controlling terminal; 0 for none. */
  readonly tty: number;
  readonly state: ProcessState;
  readonly startTicks: number;
  /**
   * Seconds that the machine had been awake since its boot when it started, by a clock that is
   * never set. Left out where start times are of such a clock, and where it is not told.
   */
  readonly startUpSeconds?: number;
  /** CPU time used by the process and by the children it has waited for, in milliseconds. */
  readonly cpuMs: number;
  readonly rssBytes: number;
  /** Effective user id; null when the machine would not say. */
  readonly uid: number | null;
  /** The kernel's short name, at most 15 bytes on Linux. */
  readonly comm: string;
  /** Empty for kernel threads, zombies, and where the machine hides it. */
  readonly argv: readonly string[];
  readonly kernelThread: boolean;
  /** Left out where the kernel gives none, or does not tell them. */
  readonly numbers?: ProcessNumbers;
  /** Set on Windows, and nowhere else. */
  readonly windows?: WindowsTraits;
}

/** A zombie has ended: neither survivor nor victim; only its parent can remove it. */
export const hasEnded = (row: ProcessRow): boolean => row.state === 'Z' || row.state === 'X';

/**
 * True when what was read of a pid is the process that started at that moment and has not ended.
 * The pid must be of this boot.
 * @param row what was read of the pid; null or undefined: there is no such process
 */
export const isSameLivingProcess = (
  row: ProcessRow | null | undefined,
  { startTicks }: { readonly startTicks: number },
): row is ProcessRow => row != null && row.startTicks === startTicks && !hasEnded(row);

/** Start times above this are microseconds since the epoch (macOS); ticks of a boot stay below. */
export const minEpochMicroseconds = 1e14;
const microseconds = 1e6;

/**
 * False only where a process has certainly ended. On macOS ps gives a start in whole seconds, the
 * kernel in microseconds: where pid and second agree, one reader's row does not prove that the
 * process of the other has ended. True is no proof of identity.
 */
export const mayStillLive = (
  row: ProcessRow | null | undefined,
  { startTicks }: { readonly startTicks: number },
): boolean => {
  if (row == null || hasEnded(row)) return false;
  if (row.startTicks === startTicks) return true;
  const [earlier, later] = [Math.min(row.startTicks, startTicks), Math.max(row.startTicks, startTicks)];
  return earlier > minEpochMicroseconds && earlier % microseconds === 0 && later - earlier < microseconds;
};
