import { say } from '../../../../app/text/say.ts';
import { readdirSync } from 'node:fs';
import { ProcessTableUnreadable } from '../../processes/source.ts';
import type { ProcReader } from './proc-reader.ts';

/**
 * Returns all pids that /proc lists, in rising order. Takes 1 microsecond per process, most of it
 * in the kernel.
 * @throws ProcessTableUnreadable when /proc can't be listed
 */
export const listPids = (): Int32Array => {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch (error) {
    throw new ProcessTableUnreadable(say('/proc can not be listed, so no process can be seen.'), { cause: error });
  }
  const pids: number[] = [];
  for (const name of names) {
    const first = name.charCodeAt(0);
    if (first >= 0x31 && first <= 0x39) pids.push(Number(name));
  }
  // Node returns names in string order. Sorting numbers in a typed array takes a fiftieth of the
  // listing.
  return Int32Array.from(pids).toSorted();
};

/** The kernel reuses no pid below this after wrapping (RESERVED_PIDS in kernel/pid.c). */
const reservedPids = 300;

export interface PidCursor {
  /** The last allocated pid of our pid namespace. */
  readonly last: number;
  readonly pidMax: number;
  /** Threads alive on the machine. */
  readonly threads: number;
  /** Processes and threads started on the machine since boot. */
  readonly forks: number;
}

/** The pids that may have been reused between two scans. */
export type ReusedPids =
  | { readonly kind: 'all' }
  | { readonly kind: 'after'; readonly from: number; readonly to: number };

/**
 * Returns which pids may have been reused between two scans. The kernel allocates pids cyclically
 * (idr_alloc_cyclic in alloc_pid, https://github.com/torvalds/linux/blob/v6.12/kernel/pid.c), so
 * only a pid after the earlier cursor and up to the later one can have been reused. If enough
 * processes started for the cycle to close, or a cursor is missing, it can be any pid.
 */
export const reusedBetween = (before: PidCursor | null, now: PidCursor | null): ReusedPids => {
  if (before === null || now === null || before.pidMax !== now.pidMax) return { kind: 'all' };
  const free = now.pidMax - reservedPids - Math.max(before.threads, now.threads);
  const started = now.forks - before.forks;
  // Half, because the count of threads is of one moment, and a fork that failed late has used a pid
  // without being counted.
  return started < 0 || started >= free / 2 ? { kind: 'all' } : { kind: 'after', from: before.last, to: now.last };
};

/** Returns whether the pid lies in the cyclic interval (from, to]. */
export const isReusable = (reused: ReusedPids, pid: number): boolean => {
  if (reused.kind === 'all') return true;
  const { from, to } = reused;
  return from <= to ? pid > from && pid <= to : pid > from || pid <= to;
};

/** Reading this many takes 2 ms. With more, callers do without. */
const maxListed = 256;

/** Returns pids possibly allocated between two scans; null if too many or unknown. */
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
 * Returns the last allocated pid of our pid namespace, or null. Read from ns_last_pid if the kernel
 * has it (CONFIG_CHECKPOINT_RESTORE), because lxcfs can put a fake /proc/loadavg into containers,
 * else from the end of loadavg ("0.00 0.05 0.06 1/102 7544").
 */
export const readLastPid = (reader: ProcReader): number | null => {
  const last = numberIn(reader.readText('/proc/sys/kernel/ns_last_pid', 32));
  if (last !== null) return last;
  const load = / (\d+)\s*$/.exec(reader.readText('/proc/loadavg', 128) ?? '');
  return load === null ? null : Number(load[1]);
};

/**
 * Reads the cursor now; null if unknown. Takes 60 microseconds here.
 * @throws ProcessTableUnreadable
 */
export const readPidCursor = (reader: ProcReader): PidCursor | null => {
  // Read first, so that processes started meanwhile count for the next scan.
  const last = readLastPid(reader);
  const threads = /\/(\d+) \d+\s*$/.exec(reader.readText('/proc/loadavg', 128) ?? '');
  const pidMax = numberIn(reader.readText('/proc/sys/kernel/pid_max', 32));
  const forks = /^processes (\d+)$/m.exec(reader.readText('/proc/stat') ?? '');
  if (last === null || threads === null || pidMax === null || forks === null) return null;
  return { last, pidMax, threads: Number(threads[1]), forks: Number(forks[1]) };
};
