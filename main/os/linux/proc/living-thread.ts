import { readdirSync, readFileSync } from 'node:fs';
import { refusalOf, unlessRefused } from './proc-reader.ts';

/**
 * Returns the ids of a process's threads; empty if it is gone or may not be looked into.
 * @throws ProcessTableUnreadable
 */
export const threadsOf = (pid: number): readonly string[] => {
  const folder = `/proc/${pid}/task`;
  return unlessRefused(folder, () => readdirSync(folder)) ?? [];
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

/**
 * Returns whether the first thread of a process has ended; others may live. False if it is gone.
 * @throws ProcessTableUnreadable
 */
const firstHasEnded = (pid: number): boolean => {
  const file = `/proc/${pid}/stat`;
  const stat = unlessRefused(file, () => readFileSync(file, 'latin1')) ?? '';
  return /^\) [ZX]/u.test(stat.slice(stat.lastIndexOf(')')));
};

/**
 * Returns the folder in which what a process holds is listed, with the names in its `fd`: its own,
 * or that of a living thread where its own lists nothing. null: it may not be looked into.
 * @throws ProcessTableUnreadable
 */
export const heldBy = (pid: number): { readonly folder: string; readonly names: readonly string[] } | null => {
  const namesIn = (folder: string): readonly string[] | null => {
    try {
      return readdirSync(`${folder}/fd`);
    } catch (error) {
      return refusalOf(error, folder) === 'gone' ? [] : null;
    }
  };
  const folder = `/proc/${pid}`;
  const names = namesIn(folder);
  if (names !== null && names.length > 0) return { folder, names };
  // What has ended holds nothing, but only root may read that: the list is root's, since it has no
  // memory any more (task_dump_owner in fs/proc/base.c).
  if (names === null && !firstHasEnded(pid)) return null;
  const further = livingThreadOf(pid);
  const held = further === null ? [] : namesIn(further);
  return held === null ? null : { folder: further ?? folder, names: held };
};
