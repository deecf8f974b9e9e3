import { openDatabase, replaceDamaged, type OpenDatabase } from './database.ts';
import { asStoreFailure, type DatabasePlace } from './database-design.ts';
import { meansDamaged, type Connection } from './sqlite.ts';

/** What a use of a `LastingDatabase` is given. */
export interface DatabaseUse {
  readonly connection: Connection;
  /** Another number than at the last use: it is another file, in which nothing stands of what was written then. */
  readonly generation: number;
  /** True when it was opened for this use. */
  readonly opened: boolean;
}

/**
 * A database that stays open from one use to the next, for those who write often. Never trusts that what was open is still what stands at
 * the path: what is written into a file that somebody has removed would be durable and nowhere.
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
   * Does `work` with the database. When that turns out to be damaged it is set aside, and `work` is done once more with a fresh one;
   * so `work` must be whole transactions. After any error the file is closed.
   * @throws StoreFailure, and whatever else `work` throws
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
      // Forgotten: the number of the removed file is free now, and the fresh one may get it.
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
