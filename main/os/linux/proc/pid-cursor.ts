import type { ProcReader } from './proc-reader.ts';

/** Below this the kernel hands out no pid again once it has wrapped (RESERVED_PIDS in kernel/pid.c). */
const reservedPids = 300;

/** What the kernel's allocation of pids looked like at one moment. */
export interface PidCursor {
  /** The pid that was handed out last in our pid namespace. */
  readonly last: number;
  readonly pidMax: number;
  /** Threads alive on the machine. */
  readonly threads: number;
  /** Processes and threads started on the machine since boot. */
  readonly forks: number;
}

/** Which pids can have been handed out again between two looks. */
export type ReusedPids =
  | { readonly kind: 'all' }
  | { readonly kind: 'after'; readonly from: number; readonly to: number };

/**
 * The kernel hands out pids cyclically (idr_alloc_cyclic in alloc_pid, https://github.com/torvalds/linux/blob/v6.12/kernel/pid.c), so a pid
 * can have been reused between two looks only when it lies behind the last one then and up to the last one now. Unless so many were
 * started meanwhile that the cycle may have closed: then it can be any, and likewise when one of the looks told nothing.
 */
export const reusedBetween = (before: PidCursor | null, now: PidCursor | null): ReusedPids => {
  if (before === null || now === null || before.pidMax !== now.pidMax) return { kind: 'all' };
  const free = now.pidMax - reservedPids - Math.max(before.threads, now.threads);
  const started = now.forks - before.forks;
  // Half, because the count of threads is of one moment, and a start that failed late has used a pid without being counted.
  return started < 0 || started >= free / 2 ? { kind: 'all' } : { kind: 'after', from: before.last, to: now.last };
};

/** True when the pid lies in the cyclic interval (from, to]. */
export const isReusable = (reused: ReusedPids, pid: number): boolean => {
  if (reused.kind === 'all') return true;
  const { from, to } = reused;
  return from <= to ? pid > from && pid <= to : pid > from || pid <= to;
};

/** Reading so many takes 2 ms. With more it isn't worth it: whoever asks then does without. */
const maxListed = 256;

/** The pids that may have been handed out between two looks, one by one; null when they are too many or can't be told. */
export const pidsBetween = (before: PidCursor | null, now: PidCursor | null): readonly number[] | null => {
  const reused = reusedBetween(before, now);
  if (reused.kind === 'all' || before === null) return null;
  const { from, to } = reused;
  const count = from <= to ? to - from : before.pidMax - from + to;
  if (count > maxListed) return null;
  return Array.from({ length: count }, (_, index) => ((from + index) % before.pidMax) + 1);
};

const numberIn = (text: string | null): number | null => (text !== null && /^\d+\s*$/.test(text) ? Number(text) : null);

/**
 * The pid that was handed out last in our pid namespace; null when the machine doesn't tell. Taken from ns_last_pid where the kernel has it
 * (CONFIG_CHECKPOINT_RESTORE), because lxcfs can put a made-up /proc/loadavg into containers, else from the end of loadavg
 * ("0.00 0.05 0.06 1/102 7544").
 */
export const readLastPid = (reader: ProcReader): number | null => {
  const last = numberIn(reader.readText('/proc/sys/kernel/ns_last_pid', 32));
  if (last !== null) return last;
  const load = / (\d+)\s*$/.exec(reader.readText('/proc/loadavg', 128) ?? '');
  return load === null ? null : Number(load[1]);
};

/** Reads the cursor now; null when the machine doesn't tell. Takes 60 microseconds here. Throws ProcessTableUnreadable. */
export const readPidCursor = (reader: ProcReader): PidCursor | null => {
  // First, so that whatever is started meanwhile counts for the next look.
  const last = readLastPid(reader);
  const threads = /\/(\d+) \d+\s*$/.exec(reader.readText('/proc/loadavg', 128) ?? '');
  const pidMax = numberIn(reader.readText('/proc/sys/kernel/pid_max', 32));
  const forks = /^processes (\d+)$/m.exec(reader.readText('/proc/stat') ?? '');
  if (last === null || threads === null || pidMax === null || forks === null) return null;
  return { last, pidMax, threads: Number(threads[1]), forks: Number(forks[1]) };
};
