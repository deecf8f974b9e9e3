import { closeSync, existsSync, openSync, renameSync, rmSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { lockPath, readHeader, type DatabaseDesign, type DatabasePlace } from './database-design.ts';
import { lockFile } from './file-lock.ts';
import { syncFolder } from './set-aside.ts';
import { inTransaction, patienceMs, sqlite, type Connection } from './sqlite.ts';

/** Opens a connection and sets what is per connection; the file's header is set at creation. */
export const connect = (path: string, design: DatabaseDesign): Connection => {
  const { DatabaseSync } = sqlite();
  const connection = new DatabaseSync(path, { enableForeignKeyConstraints: true });
  // fullfsync: on macOS fsync alone leaves data in the drive's cache
  // (https://www.sqlite.org/pragma.html#pragma_fullfsync). journal_size_limit: bytes to which the
  // log of a burst of records is cut back.
  connection.exec(
    `PRAGMA busy_timeout = ${patienceMs}; PRAGMA synchronous = ${design.synchronous}; PRAGMA fullfsync = ON;
     PRAGMA journal_size_limit = 4194304`,
  );
  return connection;
};

/**
 * Network file systems by their number in statfs(2) (linux/magic.h): NFS, SMB 1, CIFS, SMB 2, 9p,
 * AFS, Ceph, FUSE (sshfs). The write-ahead log needs memory shared by all processes that open the
 * database, so it can't be used there (https://www.sqlite.org/wal.html).
 */
const networkFileSystems: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x5346414f, 0x00c36400, 0x65735546,
]);

const journalMode = (path: string): 'WAL' | 'DELETE' =>
  process.platform === 'linux' && networkFileSystems.has(statfsSync(dirname(path)).type) ? 'DELETE' : 'WAL';

const bringUpToDate = (connection: Connection, design: DatabaseDesign): void => {
  inTransaction(connection, () => {
    const { version } = readHeader(connection, design);
    for (const step of design.steps.slice(version)) connection.exec(step);
    connection.exec(`PRAGMA application_id = ${design.applicationId}; PRAGMA user_version = ${design.steps.length}`);
  });
};

/**
 * Created under another name and moved into place when complete, so an empty file at the path is
 * always a damaged one.
 */
const create = (place: DatabasePlace): void => {
  const { path, design } = place;
  const unfinished = `${path}.new`;
  for (const suffix of ['', '-wal', '-shm', '-journal']) {
    // Leftovers of a killed creation, or of a database that was removed.
    rmSync(unfinished + suffix, { force: true });
    if (suffix !== '') rmSync(path + suffix, { force: true });
  }
  closeSync(openSync(unfinished, 'wx', 0o600));
  const connection = connect(unfinished, design);
  try {
    connection.exec(`PRAGMA page_size = ${design.pageSize}; PRAGMA journal_mode = ${journalMode(path)}`);
    bringUpToDate(connection, design);
  } finally {
    // Closing merges the log into the file and removes it.
    connection.close();
  }
  renameSync(unfinished, path);
  syncFolder(dirname(path));
};

/**
 * Creates a missing database, or migrates one of an earlier Curfew, under the exclusive lock.
 * @param waitMs how long to wait for other holders of the lock in ms
 * @returns false when the lock is still held: another process may have done it and use it already
 */
export const prepareDatabase = (place: DatabasePlace, waitMs: number): boolean => {
  const lock = lockFile(lockPath(place.path), 'exclusive', waitMs);
  if (lock === null) return false;
  try {
    if (!existsSync(place.path)) {
      create(place);
      return true;
    }
    const connection = connect(place.path, place.design);
    try {
      // Another process may have done it meanwhile.
      if (readHeader(connection, place.design).header === 'outdated') bringUpToDate(connection, place.design);
    } finally {
      connection.close();
    }
    return true;
  } finally {
    lock.release();
  }
};
