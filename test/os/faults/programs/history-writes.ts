import { DatabaseSync } from 'node:sqlite';

/** Content of a transaction: `intent`, `TERM`, `KILL`, `ended`. */
const written = (connection: DatabaseSync, sinceRow: number): readonly string[] =>
  connection
    .prepare('SELECT number, body FROM event WHERE rowid > ?')
    .all(sinceRow)
    .map(({ number, body }) => {
      if (number === 0) return 'intent';
      const event = JSON.parse(String(body)) as {
        readonly kind: string;
        readonly signal?: { readonly signal: string };
      };
      return event.signal?.signal ?? event.kind;
    });

const lastRow = (connection: DatabaseSync): number =>
  Number(connection.prepare('SELECT coalesce(max(rowid), 0) AS row FROM event').get()?.['row'] ?? 0);

/**
 * Calls back right before and after each durable history write of this process. One step of a
 * reaping lies between two writes, so every step can be interrupted. For programs loaded before
 * Curfew with `node --import`.
 */
export const onHistoryWrite = (tell: (when: 'before' | 'after', what: readonly string[]) => void): void => {
  // eslint-disable-next-line typescript/unbound-method -- called with its own `this` below
  const { exec } = DatabaseSync.prototype;
  const begun = new WeakMap<DatabaseSync, number>();
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
    const ofHistory = this.location()?.endsWith('/history.db') === true;
    const what = ofHistory && sql === 'COMMIT' && begun.has(this) ? written(this, begun.get(this) ?? 0) : [];
    if (what.length > 0) tell('before', what);
    Reflect.apply(exec, this, [sql]);
    if (what.length > 0) tell('after', what);
    // Before its first record the file has no tables.
    if (ofHistory && sql === 'BEGIN IMMEDIATE') {
      const made = this.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'event'").get() !== undefined;
      if (made) begun.set(this, lastRow(this));
    }
  };
};
