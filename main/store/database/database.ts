import { chmodSync, closeSync, existsSync, lstatSync, openSync, renameSync, rmSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '../../../app/format/error-message.ts';
import {
  type DatabaseDesign,
  type DatabasePlace,
  asStoreFailure,
  lockPath,
  readHeader,
  storeFailure,
} from './database-design.ts';
import { lockFile } from './file-lock.ts';
import { fileAt, setAside, syncFolder } from './set-aside.ts';
import { type Connection, companions, connectTo, inTransaction, meansDamaged, patienceMs } from './sqlite.ts';
import { hasModes, namesFileSystems } from '../../os/this-system.ts';

/** Opens a connection and sets what is per connection; the file's header is set at creation. */
const connect = (path: string, design: DatabaseDesign): Connection => {
  const connection = connectTo(path, { enableForeignKeyConstraints: true });
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
  namesFileSystems && networkFileSystems.has(statfsSync(dirname(path)).type) ? 'DELETE' : 'WAL';

const bringUpToDate = (connection: Connection, design: DatabaseDesign): void =>
  inTransaction(connection, () => {
    const { version } = readHeader(connection, design);
    for (const step of design.steps.slice(version)) connection.exec(step);
    connection.exec(`PRAGMA application_id = ${design.applicationId}; PRAGMA user_version = ${design.steps.length}`);
  });

/** Moved into place when complete: an empty file at the path is always a damaged one. */
const create = (place: DatabasePlace): void => {
  const { path, design } = place;
  const unfinished = `${path}.new`;
  for (const suffix of ['', ...companions]) {
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

/** An open database, soon closed, or when damaged: an open file can't be set aside. */
export interface OpenDatabase {
  readonly connection: Connection;
  readonly file: string;
  /** Returns false when the file at the path was removed or replaced. */
  readonly inPlace: () => boolean;
  readonly close: () => void;
}

/** How long to wait in ms until no other process has a damaged file open. */
const setAsidePatienceMs = 2_000;

/**
 * How long to wait for the exclusive lock in ms before a look at what other processes did. One that
 * did the work first keeps the file open, so that waiting for it alone would be in vain: of twenty
 * processes that found one damaged file, the last was told that another Curfew uses it.
 */
const lookAgainMs = 100;

/** How often a repeatedly damaged or replaced database is opened before that is an error. */
const maxAttempts = 5;

class Damage extends Error {
  override readonly name = 'Damage';
}

const isDamage = (error: unknown): boolean => meansDamaged(error) || error instanceof Damage;

/**
 * Sets a damaged database aside and reports it, unless another process has replaced it since.
 * @param file the file that was found damaged; see `fileAt`
 * @throws StoreFailure `damaged` when other processes keep it open
 */
export const replaceDamaged = (place: DatabasePlace, file: string | null, error: unknown): void => {
  const deadline = performance.now() + setAsidePatienceMs;
  const inPlace = (): boolean => file !== null && fileAt(place.path) === file;
  while (inPlace()) {
    const lock = lockFile(lockPath(place.path), 'exclusive', lookAgainMs);
    if (lock === null) {
      if (performance.now() > deadline && inPlace()) throw storeFailure(place, 'damaged');
      continue;
    }
    try {
      if (!inPlace()) return;
      const movedTo = setAside(place.path, place.now());
      const reason = messageOf(error);
      place.notify({ kind: 'set-aside', name: place.design.name, path: place.path, movedTo, reason });
      return;
    } finally {
      lock.release();
    }
  }
};

/** Opens a prepared database; null if it must be prepared first. */
const openPrepared = (place: DatabasePlace): OpenDatabase | null => {
  const lock = lockFile(lockPath(place.path), 'shared', patienceMs);
  if (lock === null) throw storeFailure(place, 'busy');
  let connection: Connection | null = null;
  const close = (): void => {
    connection?.close();
    lock.release();
  };
  try {
    const file = fileAt(place.path);
    if (file === null) {
      close();
      return null;
    }
    // A restored copy may be readable for other users, who must not see which commands ran here.
    // What a link leads to keeps its rights: root's /dev/zero was closed to all others by one.
    const own = lstatSync(place.path);
    if (hasModes && own.isFile() && (own.mode & 0o077) !== 0) chmodSync(place.path, 0o600);
    connection = connect(place.path, place.design);
    const { header } = readHeader(connection, place.design);
    if (header === 'newer-version' || header === 'foreign-file') throw storeFailure(place, header);
    if (header === 'empty') throw new Damage('there is nothing in it');
    if (header === 'altered') throw new Damage('it has triggers or views, and Curfew makes none');
    if (header === 'outdated') {
      close();
      return null;
    }
    return { connection, file, inPlace: () => fileAt(place.path) === file, close };
  } catch (error) {
    close();
    throw error;
  }
};

/**
 * Opens a database, creating a missing one (mode 0600, its folder 0700). A damaged one (or no
 * database, or an empty file) is set aside first and reported to `notify`; one of a newer Curfew or
 * another program is never touched. Safe in several processes at once.
 * @throws StoreFailure
 */
export const openDatabase = (place: DatabasePlace): OpenDatabase => {
  try {
    const deadline = performance.now() + patienceMs;
    for (let attempt = 1; ;) {
      const file = fileAt(place.path);
      try {
        const opened = openPrepared(place);
        if (opened !== null) return opened;
        if (attempt > maxAttempts || performance.now() > deadline) throw storeFailure(place, 'busy');
        if (prepareDatabase(place, lookAgainMs)) attempt += 1;
      } catch (error) {
        if (!isDamage(error) || attempt > maxAttempts) throw error;
        replaceDamaged(place, file, error);
        attempt += 1;
      }
    }
  } catch (error) {
    throw asStoreFailure(error, place);
  }
};
