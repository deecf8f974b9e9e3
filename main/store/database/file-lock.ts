import { chmodSync, closeSync, mkdirSync, openSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { resultCode, resultCodeOf, sqlite, type Connection } from './sqlite.ts';

/** Many may hold a lock `shared` at once; `exclusive` is alone. */
export type LockMode = 'shared' | 'exclusive';

/** A lock that is held until it is released or this process ends, however it ends. */
export interface FileLock {
  readonly release: () => void;
}

/**
 * Locks that are held. A connection that is garbage collected is closed, and its lock with it, so they are kept here for
 * callers that drop theirs.
 */
const held = new Set<Connection>();

const createEmpty = (path: string): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(path, 'wx', 0o600));
    // The umask may have taken even the owner's rights.
    chmodSync(path, 0o600);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
};

const begin = (connection: Connection, mode: LockMode, waitMs: number): void => {
  connection.exec(`PRAGMA busy_timeout = ${Math.max(0, Math.trunc(waitMs))}`);
  if (mode === 'exclusive') {
    connection.exec('BEGIN EXCLUSIVE');
  } else {
    // A read transaction takes its lock at the first look at the file, not at BEGIN.
    connection.exec('BEGIN');
    connection.prepare('SELECT count(*) FROM sqlite_schema').get();
  }
};

const tryOnce = (path: string, mode: LockMode, waitMs: number): FileLock | null => {
  const { DatabaseSync } = sqlite();
  const connection = new DatabaseSync(path);
  try {
    begin(connection, mode, waitMs);
  } catch (error) {
    connection.close();
    if (resultCodeOf(error) === resultCode.busy) return null;
    throw error;
  }
  held.add(connection);
  return {
    release: () => {
      if (held.delete(connection)) connection.close();
    },
  };
};

/**
 * Takes a lock on the file at `path`, which is created empty and stays empty. The lock is the one that SQLite puts on an
 * empty database inside an open transaction: the kernel's own (fcntl, LockFileEx), so that it goes with the process even
 * when that is killed, and no pid in it can be stale. Node has no lock call of its own.
 *
 * No one may open this file in another way: POSIX takes all of a process's locks on a file away when the process closes *any*
 * descriptor of it (https://www.sqlite.org/howtocorrupt.html, 2.2); SQLite keeps its own connections from doing that.
 * @param waitMs how long to wait for others, milliseconds; waiting blocks the thread
 * @returns null when others hold it still
 * @throws errors of SQLite and the file system when the file can't be made or locked
 */
export const lockFile = (path: string, mode: LockMode, waitMs: number): FileLock | null => {
  createEmpty(path);
  try {
    return tryOnce(path, mode, waitMs);
  } catch (error) {
    if (resultCodeOf(error) !== resultCode.notADatabase) throw error;
    // Someone wrote into it. Emptied in place, so that two who find it so still meet at the same file.
    truncateSync(path, 0);
    return tryOnce(path, mode, waitMs);
  }
};
