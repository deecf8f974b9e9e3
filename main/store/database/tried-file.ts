import type { DatabasePlace } from './database-design.ts';
import { LastingDatabase, type DatabaseUse } from './lasting-database.ts';
import { StoreFailure } from './store-failure.ts';

/** After a failure the disk is tried again after this time at the earliest, in ms. */
const retryAfterMs = 30_000;

/**
 * A database that its owner can do without for a while: a failure is reported once, and the disk is
 * tried again later.
 */
export class TriedFile {
  readonly #place: DatabasePlace;
  readonly #database: LastingDatabase;
  #failed: { readonly atMs: number; readonly during: 'read' | 'write'; readonly failure: StoreFailure } | null = null;

  constructor(place: DatabasePlace) {
    this.#place = place;
    this.#database = new LastingDatabase(place);
  }

  get failure(): StoreFailure | null {
    return this.#failed?.failure ?? null;
  }

  /**
   * Does something with the file. Returns false when it can't be used now. Throws any error but
   * `StoreFailure`.
   */
  attempt(during: 'read' | 'write', work: (use: DatabaseUse) => void, when: 'calmly' | 'at once'): boolean {
    const { name } = this.#place.design;
    const { path } = this.#place;
    const now = this.#place.now();
    // A full disk can still be read.
    const mayWork = this.#failed === null || (this.#failed.during === 'write' && during === 'read');
    if (!mayWork && when === 'calmly' && Math.abs(now - (this.#failed?.atMs ?? 0)) < retryAfterMs) return false;
    try {
      this.#database.use(work);
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      if (this.#failed === null) this.#place.notify({ kind: 'in-memory', name, path, reason: error.message });
      this.#failed = { atMs: now, during, failure: error };
      return false;
    }
    if (this.#failed !== null && (during === 'write' || this.#failed.during === 'read')) {
      this.#failed = null;
      this.#place.notify({ kind: 'writable-again', name, path });
    }
    return true;
  }

  close(): void {
    this.#database.close();
  }
}
