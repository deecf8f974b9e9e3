import { codeOf } from '../../../app/format/error-message.ts';
import { chmodSync, closeSync, mkdirSync, openSync, statSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { refuseOtherThanFile } from '../../os/files/own-file.ts';
import { connectTo, resultCode, resultCodeOf, type Connection } from './sqlite.ts';

/** Any number of `shared` holders, or one `exclusive` holder. */
export type LockMode = 'shared' | 'exclusive';

/** A lock that is held until it is released or this process ends in any way. */
export interface FileLock {
  readonly release: () => void;
}

/** Held locks, referenced here: a garbage-collected connection closes and loses its lock. */
const held = new Set<Connection>();

const createEmpty = (path: string): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(path, 'wx', 0o600));
    // The umask may have removed even the owner's permissions.
    chmodSync(path, 0o600);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
};

const begin = (connection: Connection, mode: LockMode, waitMs: number): void => {
  connection.exec(`PRAGMA busy_timeout = ${Math.max(0, Math.trunc(waitMs))}`);
  if (mode === 'exclusive') {
    connection.exec('BEGIN EXCLUSIVE');
  } else {
    // A read transaction takes its lock at the first read of the file, not at BEGIN.
    connection.exec('BEGIN');
    connection.prepare('SELECT count(*) FROM sqlite_schema').get();
  }
};

const tryOnce = (path: string, mode: LockMode, waitMs: number): FileLock | null => {
  const connection = connectTo(path);
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
 * Takes a lock on the file at `path`, which is created empty and stays empty. SQLite locks an empty
 * database inside an open transaction with the kernel's locks (fcntl, LockFileEx), which end with
 * the process even when it is killed, and no pid in the file can be stale. Node has no lock call of
 * its own.
 * Never open this file in another way: POSIX releases all of a process's locks on a file when the
 * process closes *any* descriptor of it (https://www.sqlite.org/howtocorrupt.html, 2.2); SQLite
 * keeps its own connections from doing that.
 * @param waitMs how long to wait for other holders in ms; waiting blocks the thread
 * @returns null when it is still held
 * @throws errors of SQLite and the file system when the file can't be made or locked, NoRegularFile
 */
export const lockFile = (path: string, mode: LockMode, waitMs: number): FileLock | null => {
  createEmpty(path);
  refuseOtherThanFile(path);
  try {
    const lock = tryOnce(path, mode, waitMs);
    // In a database with a write-ahead log the two modes don't exclude each other.
    if (lock === null || statSync(path).size === 0) return lock;
    lock.release();
  } catch (error) {
    if (resultCodeOf(error) !== resultCode.notADatabase) throw error;
  }
  // Another program wrote into it. Truncated in place, so that two processes that find it so still
  // use the same file.
  truncateSync(path, 0);
  return tryOnce(path, mode, waitMs);
};
