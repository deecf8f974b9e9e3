import { baseName, isWindowsPath, programFile } from '../paths/path.ts';
import type { ProcessRow } from '../process/row.ts';

/** Seconds before KILL for work in progress, which it strands: git's lock, a database. */
export const workInProgressGraceSeconds = 30;

/** Base names of programs that leave something broken when killed in the middle. */
const workInProgress: ReadonlySet<string> = new Set([
  'git',
  'hg',
  'svn',
  'jj',
  'postgres',
  'postmaster',
  'mysqld',
  'mariadbd',
  'mongod',
  'redis-server',
  'valkey-server',
  'sqlite3',
  'cockroach',
  'clickhouse',
  'clickhouse-server',
  'elasticsearch',
  'dpkg',
  'apt',
  'apt-get',
  'rpm',
  'dnf',
  'pacman',
]);

const programOf = (row: Pick<ProcessRow, 'argv' | 'comm'>): string => {
  const first = row.argv[0] ?? row.comm;
  // A server that names its work in argv[0] ("postgres: checkpointer") is still that server.
  return isWindowsPath(first) ? programFile(first) : baseName(first.split(/[\s:]/)[0] ?? '');
};

/** True for git, databases and package managers. */
export const isWorkInProgress = (row: Pick<ProcessRow, 'argv' | 'comm'>): boolean => {
  const program = programOf(row);
  return workInProgress.has(program) || program.startsWith('git-') || workInProgress.has(row.comm);
};

/** The grace in seconds: what was asked for, and at least 30 s with work in progress. */
export const graceSecondsFor = (rows: readonly Pick<ProcessRow, 'argv' | 'comm'>[], askedSeconds: number): number =>
  rows.some(isWorkInProgress) ? Math.max(askedSeconds, workInProgressGraceSeconds) : askedSeconds;
