/** `/proc/PID/FILE:TEXT`, as grep -H writes it. */
const fileRecord = /^\/proc\/(?<pid>\d+|self)\/(?:task\/\d+\/)?(?<file>[a-z]+(?:\/\d+)?):/u;

/** Calls `take` for each record that names a file of a process; passes over the others. */
export const eachFile = (records: readonly string[], take: (pid: string, file: string, text: string) => void): void => {
  for (const record of records) {
    const match = fileRecord.exec(record);
    if (match?.groups === undefined) continue;
    take(match.groups['pid'] ?? '', match.groups['file'] ?? '', record.slice(match[0].length));
  }
};

/**
 * Returns the pids that processes have in namespaces below that of the shell that answers, by their
 * pid out here: the numbers of `NSpid`, the outer ones first.
 * https://man7.org/linux/man-pages/man5/proc_pid_status.5.html
 */
export const insideIn = (records: readonly string[]): ReadonlyMap<number, readonly number[]> => {
  const inside = new Map<number, readonly number[]>();
  eachFile(records, (pid, file, text) => {
    const pids = /^NSpid:((?:\t\d{1,7})+)$/u.exec(text)?.[1];
    if (file === 'status' && pids !== undefined) inside.set(Number(pid), pids.trim().split('\t').slice(1).map(Number));
  });
  return inside;
};

/** Returns the process of each thread that was asked for it. */
export const tracingIn = (records: readonly string[]): ReadonlyMap<number, number> => {
  const tracing = new Map<number, number>();
  eachFile(records, (thread, _file, text) => {
    const pid = /^Tgid:\t(\d{1,7})$/u.exec(text)?.[1];
    if (pid !== undefined) tracing.set(Number(thread), Number(pid));
  });
  return tracing;
};

/**
 * Returns how often the threads of each process slept: lines `^PID NUMBER…`, a number for each
 * thread.
 */
export const switchesIn = (records: readonly string[]): ReadonlyMap<number, number> => {
  const switches = new Map<number, number>();
  for (const record of records) {
    const [, pid, numbers = ''] = /^\^(\d{1,7}) +((?:\d+ *)+)$/u.exec(record) ?? [];
    if (pid !== undefined)
      switches.set(
        Number(pid),
        numbers
          .trim()
          .split(/ +/u)
          .reduce((sum, number) => sum + Number(number), 0),
      );
  }
  return switches;
};
