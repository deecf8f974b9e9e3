import { openDatabase, replaceDamaged, type OpenDatabase } from './database.ts';
import { asStoreFailure, type DatabasePlace } from './database-design.ts';
import { meansDamaged, type Connection } from './sqlite.ts';

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
