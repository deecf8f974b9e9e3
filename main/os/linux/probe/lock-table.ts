/**
 * Returns the holder of the lock that a process waits for, by the waiter's pid, from the text of
 * /proc/locks. A line is a lock, `1: FLOCK ADVISORY WRITE 359 00:13:11691 0 EOF`; its waiters
 * follow with the same number and an arrow. Pids are those of the reader's namespace; 0 and -1
 * (locks of open files, F_OFD_SETLK) name no process.
 * https://man7.org/linux/man-pages/man5/proc_locks.5.html
 */
export const lockHoldersIn = (text: string): ReadonlyMap<number, number> => {
  const holders = new Map<number, number>();
  let held: { readonly number: string; readonly pid: number } | null = null;
  for (const line of text.split('\n')) {
    const [, number = '', arrow, pid = ''] =
      /^(\d+): +(?:(->) +)?(?:FLOCK|POSIX|OFDLCK) +\S+ +\S+ +(-?\d+) /u.exec(line) ?? [];
    if (number === '') continue;
    if (arrow === undefined) held = { number, pid: Number(pid) };
    else if (held?.number === number && held.pid > 0 && Number(pid) > 0) holders.set(Number(pid), held.pid);
  }
  return holders;
};
