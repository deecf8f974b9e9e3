/** What one call gave: `bytes` as far as the kernel filled them, `errno` 0 where it succeeded. */
export interface KernelAnswer {
  /** Valid until the next call: decode it before. */
  readonly bytes: Buffer;
  readonly errno: number;
}

/**
 * The calls about one process. `info` is proc_pidinfo, `file` proc_pidfdinfo (`arg` is the
 * descriptor), `path` proc_pidpath, `usage` proc_pid_rusage, `signature` csops, `session` getsid
 * (answered as four bytes).
 */
export type KernelCall = 'info' | 'file' | 'path' | 'usage' | 'signature' | 'session';

/** All that is asked of macOS; narrow, as tests put a simulated kernel of bytes in its place. */
export interface DarwinKernel {
  call(name: KernelCall, pid: number, flavor: number, arg: number, size: number): KernelAnswer;
  /** By numbers or by name. ENOMEM where `size` does not hold the answer. */
  sysctl(name: readonly number[] | string, size: number): KernelAnswer;
  windows(size: number): KernelAnswer;
  /** CLOCK_UPTIME_RAW: seconds awake since the boot; null where it can't be had. */
  upSeconds(): number | null;
  /** proc_signal_with_audittoken: returns errno, 0: sent. null before macOS 14.2: not there. */
  readonly signalByToken: ((token: Buffer, signal: number) => number) | null;
  /** Processes about which a call has not returned yet. Absent where each is waited for. */
  readonly unanswered?: () => readonly number[];
}

/** The error numbers told apart, as in macOS (sys/errno.h); Linux numbers some differently. */
export const darwinErrno = {
  EPERM: 1,
  ESRCH: 3,
  EBADF: 9,
  ENOMEM: 12,
  EINVAL: 22,
  ENOTSOCK: 38,
  ETIMEDOUT: 60,
} as const;

/** Flavors of proc_pidinfo and proc_pidfdinfo (sys/proc_info.h). */
export const flavors = {
  files: 1,
  task: 4,
  cwd: 9,
  uniqueIds: 17,
  coalitions: 20,
  file: 2,
  socket: 3,
  pipe: 6,
  usageV4: 4,
} as const;

/** Management information bases of sysctl(3). */
export const mibs = {
  allProcesses: [1, 14, 0],
  process: (pid: number): readonly number[] => [1, 14, 1, pid],
  arguments: (pid: number): readonly number[] => [1, 49, pid],
} as const;
