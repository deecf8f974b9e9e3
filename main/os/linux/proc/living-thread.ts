import { readdirSync } from 'node:fs';
import { refusalOf } from './proc-reader.ts';

/**
 * Returns the ids of a process's threads; empty if it is gone or may not be looked into.
 * @throws ProcessTableUnreadable
 */
export const threadsOf = (pid: number): readonly string[] => {
  const folder = `/proc/${pid}/task`;
  try {
    return readdirSync(folder);
  } catch (error) {
    refusalOf(error, folder);
    return [];
  }
};

/**
 * Returns the folder of a thread of this process other than its first, or null. A first thread that
 * has ended before the others (pthread_exit in main) has no memory and no files any more, so its
 * cmdline and its list of open files are empty and its environ unreadable while the process lives;
 * those of the other threads are the process's.
 * @throws ProcessTableUnreadable
 */
export const livingThreadOf = (pid: number): string | null => {
  const thread = threadsOf(pid).find((name) => name !== String(pid));
  return thread === undefined ? null : `/proc/${pid}/task/${thread}`;
};
