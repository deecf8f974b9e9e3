import type * as Sqlite from 'node:sqlite';
import { refuseOtherThanFile } from '../../os/files/own-file.ts';

/** Returns a cell as a number; columns are STRICT, so any other is a hand's and counts as 0. */
export const numberCell = (cell: Cell | undefined): number => (typeof cell === 'number' ? cell : 0);

/** Returns a cell as a text; see `numberCell`. */
export const textCell = (cell: Cell | undefined): string => (typeof cell === 'string' ? cell : '');

export type Connection = Sqlite.DatabaseSync;

/** The possible values of a cell; every reader checks them. */
export type Cell = Sqlite.SQLOutputValue;

type Statement = Sqlite.StatementSync;

const statements = new WeakMap<Connection, Map<string, Statement>>();

/**
 * Returns a prepared statement, cached by its text for the life of the connection. For what runs
 * hundreds of times in one transaction: SQLite takes as long to prepare a statement as to run it.
 */
export const prepared = (connection: Connection, text: string): Statement => {
  let known = statements.get(connection);
  if (known === undefined) statements.set(connection, (known = new Map<string, Statement>()));
  let statement = known.get(text);
  if (statement === undefined) known.set(text, (statement = connection.prepare(text)));
  return statement;
};

let loaded: typeof Sqlite | undefined;

/**
 * Returns `node:sqlite`, loaded on demand. Node 22 prints "ExperimentalWarning: SQLite is an
 * experimental feature …" when the module is loaded, on the standard error of every command;
 * exactly this warning is dropped, only during this call.
 * https://nodejs.org/docs/latest-v22.x/api/sqlite.html
 */
export const sqlite = (): typeof Sqlite => {
  if (loaded !== undefined) return loaded;
  // eslint-disable-next-line typescript/unbound-method -- put back unchanged below, and called with its own `this`
  const emit = process.emitWarning;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    const named = typeof rest[0] === 'string' ? rest[0] : '';
    if (named === 'ExperimentalWarning' && String(warning).startsWith('SQLite is an experimental feature')) return;
    Reflect.apply(emit, process, [warning, ...rest]);
  };
  try {
    // No import: that would load it before the line above.
    loaded = process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emit;
  }
  return loaded;
};

/** The files that SQLite keeps beside a database. */
export const companions = ['-wal', '-shm', '-journal'] as const;

/**
 * Opens a connection. What lies in the place of a companion is refused: SQLite waits for the other
 * end of a pipe, and nothing ends that wait.
 * @throws SQLite's error, NoRegularFile
 */
export const connectTo = (path: string, options: Sqlite.DatabaseSyncOptions = {}): Connection => {
  for (const companion of companions) refuseOtherThanFile(path + companion);
  const { DatabaseSync } = sqlite();
  return new DatabaseSync(path, options);
};

/** SQLite's primary result codes that Curfew handles. https://www.sqlite.org/rescode.html */
export const resultCode = {
  noPermission: 3,
  busy: 5,
  locked: 6,
  readOnly: 8,
  inputOutput: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  lockProtocol: 15,
  constraint: 19,
  notADatabase: 26,
} as const;

/** Returns the primary result code of an error of SQLite, or null for any other error. */
export const resultCodeOf = (error: unknown): number | null =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : null;

/** Returns whether SQLite reports the file damaged, not merely unreachable. */
export const meansDamaged = (error: unknown): boolean => {
  const code = resultCodeOf(error);
  return code === resultCode.corrupt || code === resultCode.notADatabase;
};

/**
 * How long one process waits for the transactions of others, in ms. Ours take a few; thirty
 * processes that write as fast as they can, on two slow cores, are served within this too.
 */
export const patienceMs = 10_000;

/** SQLite sleeps at most about this long between two attempts at the write lock, in ms. */
const attemptMs = 20;

/**
 * Takes the write lock. SQLite's own waiting backs off up to 100 ms and starves under contention:
 * of thirty writers some waited over 5 s. Repeated short waits succeed.
 */
const beginWriting = (connection: Connection): void => {
  const deadline = performance.now() + patienceMs;
  connection.exec(`PRAGMA busy_timeout = ${attemptMs}`);
  try {
    for (;;) {
      try {
        connection.exec('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        if (resultCodeOf(error) !== resultCode.busy || performance.now() > deadline) throw error;
      }
    }
  } finally {
    connection.exec(`PRAGMA busy_timeout = ${patienceMs}`);
  }
};

/**
 * Runs `work` in one transaction that holds the write lock from the beginning, so that what it
 * reads stays true until it writes. Rolls back and throws when `work` throws.
 */
export const inTransaction = <Result>(connection: Connection, work: () => Result): Result => {
  beginWriting(connection);
  try {
    const result = work();
    connection.exec('COMMIT');
    return result;
  } catch (error) {
    try {
      connection.exec('ROLLBACK');
    } catch {
      // After some errors (disk full, I/O) SQLite has already rolled back; the first error tells
      // the cause.
    }
    throw error;
  }
};
