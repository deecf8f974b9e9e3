import { readdirSync } from 'node:fs';
import { refusalOf } from './proc-reader.ts';

/**
 * The folder of a thread of this process other than its first, null when there is none. A first thread that has ended before the others
 * (pthread_exit in main) has no memory of its own any more, so its cmdline is empty and its environ unreadable while the process lives; those of the
 * other threads are the process's. Throws ProcessTableUnreadable.
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
