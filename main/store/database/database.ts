import { chmodSync, lstatSync } from 'node:fs';
import { messageOf } from '../../../app/format/error-message.ts';
import { connect, prepareDatabase } from './connect.ts';
import { asStoreFailure, lockPath, readHeader, storeFailure, type DatabasePlace } from './database-design.ts';
import { lockFile } from './file-lock.ts';
import { fileAt, setAside } from './set-aside.ts';
import { meansDamaged, patienceMs, type Connection } from './sqlite.ts';

/**
 * An open database. The file can't be set aside while it is open, so it is closed soon, or when it
 * is found damaged.
 */
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

/**
 * How often a database that is damaged or replaced repeatedly is opened again before that is an
 * error.
 */
const maxAttempts = 5;

class Empty extends Error {
  override readonly name = 'Empty';
}

const isDamage = (error: unknown): boolean => meansDamaged(error) || error instanceof Empty;

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
    if (process.platform !== 'win32' && own.isFile() && (own.mode & 0o077) !== 0) chmodSync(place.path, 0o600);
    connection = connect(place.path, place.design);
    const { header } = readHeader(connection, place.design);
    if (header === 'newer-version' || header === 'foreign-file') throw storeFailure(place, header);
    if (header === 'empty') throw new Empty('there is nothing in it');
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
