import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

/** A row of the scene's process table, read from its /proc without Curfew's code. */
export interface Row {
  readonly pid: number;
  readonly ppid: number;
  readonly pgid: number;
  readonly sid: number;
  readonly state: string;
  readonly threads: number;
  /** Field 22 of /proc/PID/stat, clock ticks since boot. */
  readonly start: string;
  readonly comm: string;
  readonly argv: readonly string[];
}

/** A process; a pid alone does not identify it. */
export interface Identity {
  readonly pid: number;
  readonly start: string;
}

/** Reads one process of the scene whose /proc is at `proc`; null when there is none. */
export const readRow = (proc: string, pid: number): Row | null => {
  try {
    const stat = readFileSync(`${proc}/${pid}/stat`, 'utf8');
    const end = stat.lastIndexOf(')');
    const fields = stat.slice(end + 2).split(' ');
    const field = (number: number): string => fields[number - 3] ?? '';
    const comm = stat.slice(stat.indexOf('(') + 1, end);
    // fixtures/stalled.py makes its reader wait.
    const cmdline = comm === 'stalled' ? '' : readFileSync(`${proc}/${pid}/cmdline`, 'utf8');
    return {
      pid,
      ppid: Number(field(4)),
      pgid: Number(field(5)),
      sid: Number(field(6)),
      state: field(3),
      threads: Number(field(20)),
      start: field(22),
      comm,
      argv: cmdline === '' ? [] : cmdline.replace(/\0$/, '').split('\0'),
    };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ESRCH') return null;
    throw error;
  }
};

/** All processes of the scene, by pid. */
export const readTable = (proc: string): readonly Row[] =>
  readdirSync(proc)
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readRow(proc, Number(name)))
    .filter((row): row is Row => row !== null);

/** The environment of a process, for checks of the fixtures themselves. */
export const readEnvironment = (proc: string, pid: number): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readFileSync(`${proc}/${pid}/environ`, 'utf8')
      .split('\0')
      .filter((entry) => entry.includes('='))
      .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  );

/** Target of an open file of a process, as the kernel shows it. */
export const readDescriptor = (proc: string, pid: number, fd: number): string =>
  readlinkSync(`${proc}/${pid}/fd/${fd}`);

/** All descendants of a process, children before grandchildren. */
export const descendants = (table: readonly Row[], pid: number): readonly Row[] => {
  const children = table.filter((row) => row.ppid === pid);
  return [...children, ...children.flatMap((row) => descendants(table, row.pid))];
};

/**
 * A zombie has ended, unless it is a first thread whose others go on: on a busy machine those of a
 * killed Node end up to seconds after it, and until then Curfew says that it lives.
 */
export const lives = (row: Row | null): row is Row =>
  row !== null && row.state !== 'X' && (row.state !== 'Z' || row.threads > 1);
