// node --import die-at.ts …, with CURFEW_TEST_DIES="before TERM" or "after intent": ends this process with KILL right before or right
// after the durable write of the history that holds the intent, signals of that name, or the end of an incident. Between two of these
// writes lies one step of a reaping, so that each step has a moment at which Curfew can be caught.
import { DatabaseSync } from 'node:sqlite';

const [when = '', what = ''] = (process.env['CURFEW_TEST_DIES'] ?? '').split(' ');

/** What a transaction wrote: `intent`, `TERM`, `KILL`, `ended`. */
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

// eslint-disable-next-line typescript/unbound-method -- called with its own `this` below
const { exec } = DatabaseSync.prototype;
const begun = new WeakMap<DatabaseSync, number>();

DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
  const ofHistory = this.location()?.endsWith('/history.db') === true;
  const due = ofHistory && sql === 'COMMIT' && begun.has(this) && written(this, begun.get(this) ?? 0).includes(what);
  if (due && when === 'before') process.kill(process.pid, 'SIGKILL');
  Reflect.apply(exec, this, [sql]);
  if (due && when === 'after') process.kill(process.pid, 'SIGKILL');
  // Before its first record the file has no tables yet.
  if (ofHistory && sql === 'BEGIN IMMEDIATE') {
    const made = this.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'event'").get() !== undefined;
    if (made) begun.set(this, lastRow(this));
  }
};
