import type { OpenFile } from '../../../../app/process/facts.ts';
import type { ProcReader } from '../proc/proc-reader.ts';

/** So many open files of a process are asked for locks. */
const maxFiles = 256;

/** True when the text of /proc/PID/fdinfo/FD says that a lock is held through this descriptor: "lock:\t1: FLOCK  ADVISORY  WRITE 359 00:13:11691 0 EOF". */
export const holdsLock = (fdinfo: string): boolean => /^lock:\t\d+: (FLOCK|POSIX|OFDLCK)\s/m.test(fdinfo);

/**
 * The files that a process holds a lock on, through flock or fcntl. Asked of /proc/PID/fdinfo and not of /proc/locks, because a lock taken with flock
 * belongs to everyone who inherited the descriptor, while /proc/locks names only the process that took it, and leaves the lock out altogether once that
 * one has ended (seen on 6.18). About 10 microseconds for a file.
 * Files are never opened or stat'ed for it. Throws ProcessTableUnreadable.
 */
export const locksOf = (reader: ProcReader, pid: number, files: readonly OpenFile[]): readonly string[] => {
  const held = new Set<string>();
  let asked = 0;
  for (const { fd, target } of files) {
    if (!target.startsWith('/') || target.startsWith('/dev/') || held.has(target)) continue;
    if (++asked > maxFiles) break;
    const info = reader.readText(`/proc/${pid}/fdinfo/${fd}`, 4_096);
    if (info !== null && holdsLock(info)) held.add(target);
  }
  return [...held];
};
