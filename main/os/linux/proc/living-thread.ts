import { readdirSync } from 'node:fs';
import { refusalOf } from './proc-reader.ts';

/**
 * Returns the folder of a thread of this process other than its first, or null. A first thread that
 * has ended before the others (pthread_exit in main) has no memory any more, so its cmdline is
 * empty and its environ unreadable while the process lives; those of the other threads are the
 * process's.
 * @throws ProcessTableUnreadable
 */
export const livingThreadOf = (pid: number): string | null => {
  const folder = `/proc/${pid}/task`;
  try {
    const thread = readdirSync(folder).find((name) => name !== String(pid));
    return thread === undefined ? null : `${folder}/${thread}`;
  } catch (error) {
    refusalOf(error, folder);
    return null;
  }
};
