import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { openDatabase, replaceDamaged, type OpenDatabase } from './database.ts';
import { asStoreFailure, readHeader, storeFailure, type DatabasePlace } from './database-design.ts';
import { fileAt } from './set-aside.ts';
import { meansDamaged, sqlite, type Connection } from './sqlite.ts';
import { StoreFailure } from './store-failure.ts';

/** After a failure the disk is tried again after this time at the earliest, in ms. */
const retryAfterMs = 30_000;

/** The argument of a use of a `LastingDatabase`. */
export interface DatabaseUse {
  readonly connection: Connection;
  /** A number other than at the last use: it is another file, without what was written then. */
  readonly generation: number;
  readonly opened: boolean;
}

/**
 * A database that stays open between uses, for frequent writes. Checks each time that the open file
 * still is the one at the path: what is written into a removed file would be durable and
 * unreachable.
 */
export class LastingDatabase {
  readonly #place: DatabasePlace;
  #database: OpenDatabase | null = null;
  #generation = 0;
  #failed: { readonly atMs: number; readonly during: 'read' | 'write' } | null = null;
  #lastFile: string | null = null;

  constructor(place: DatabasePlace) {
    this.#place = place;
  }

  /**
   * Runs `work` with the database. If it turns out to be damaged it is set aside, and `work` runs
   * once more with a new one; so `work` must consist of whole transactions. After any error the
   * file is closed.
   * @throws StoreFailure, and what `work` throws
   */
  use<Result>(work: (use: DatabaseUse) => Result): Result {
    try {
      for (let attempt = 1; ; attempt += 1) {
        const { database, opened } = this.#open();
        try {
          return work({ connection: database.connection, generation: this.#generation, opened });
        } catch (error) {
          if (!meansDamaged(error) || attempt > 1) throw error;
          this.close();
          replaceDamaged(this.#place, database.file, error);
        }
      }
    } catch (error) {
      this.close();
      throw asStoreFailure(error, this.#place);
    }
  }

  /**
   * The same for an owner that can do without the file for a while: a failure is reported once, and
   * the disk is tried again later. Returns false when it can't be used now. Throws any error but
   * `StoreFailure`.
   */
  attempt(during: 'read' | 'write', work: (use: DatabaseUse) => void): boolean {
    const { name } = this.#place.design;
    const { path } = this.#place;
    const now = this.#place.now();
    // A full disk can still be read.
    const mayWork = this.#failed === null || (this.#failed.during === 'write' && during === 'read');
    if (!mayWork && Math.abs(now - (this.#failed?.atMs ?? 0)) < retryAfterMs) return false;
    try {
      this.use(work);
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      if (this.#failed === null) this.#place.notify({ kind: 'in-memory', name, path, reason: error.said });
      this.#failed = { atMs: now, during };
      return false;
    }
    if (this.#failed !== null && (during === 'write' || this.#failed.during === 'read')) {
      this.#failed = null;
      this.#place.notify({ kind: 'writable-again', name, path });
    }
    return true;
  }

  #open(): { readonly database: OpenDatabase; readonly opened: boolean } {
    if (this.#database?.inPlace() === true) return { database: this.#database, opened: false };
    if (this.#database !== null) {
      this.close();
      // Forgotten: the inode of the removed file is free, and the new one may get it.
      this.#lastFile = null;
    }
    this.#database = openDatabase(this.#place);
    if (this.#database.file !== this.#lastFile) this.#generation += 1;
    this.#lastFile = this.#database.file;
    return { database: this.#database, opened: true };
  }

  /** Closes the file. The next use opens it again. */
  close(): void {
    this.#database?.close();
    this.#database = null;
  }
}

/**
 * Opens a database, runs `work` with it and closes it; see `use`.
 * @throws StoreFailure, and what `work` throws
 */
export const withDatabase = <Result>(place: DatabasePlace, work: (connection: Connection) => Result): Result => {
  const database = new LastingDatabase(place);
  try {
    return database.use(({ connection }) => work(connection));
  } finally {
    database.close();
  }
};

/**
 * Reads a file that can't be locked or opened for writing, as on a read-only file system. Only
 * without a write-ahead log beside it, whose content would be missing. Needs a Node that accepts a
 * URL (22.15), else it throws.
 */
const readUnlocked = <Result>(place: DatabasePlace, work: (connection: Connection) => Result): Result => {
  const { DatabaseSync } = sqlite();
  const location = pathToFileURL(place.path);
  location.searchParams.set('mode', 'ro');
  location.searchParams.set('immutable', '1');
  const connection = new DatabaseSync(location, { readOnly: true });
  try {
    const { header } = readHeader(connection, place.design);
    if (header !== 'ready') throw storeFailure(place, header === 'newer-version' ? header : 'unusable');
    return work(connection);
  } finally {
    connection.close();
  }
};

/**
 * Same as `withDatabase` for work that only reads: null if there is no database, which is not
 * created, and possible on a read-only file system.
 * @throws StoreFailure, and what `work` throws
 */
export const readDatabase = <Result>(place: DatabasePlace, work: (connection: Connection) => Result): Result | null => {
  try {
    if (fileAt(place.path) === null) return null;
    return withDatabase(place, work);
  } catch (error) {
    const failure = asStoreFailure(error, place);
    const closed =
      failure instanceof StoreFailure && ['read-only', 'no-permission', 'disk-full'].includes(failure.problem);
    if (!closed || (statSync(`${place.path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) throw failure;
    try {
      return readUnlocked(place, work);
    } catch {
      // The user can do something about what prevents a proper opening.
      throw failure;
    }
  }
};
