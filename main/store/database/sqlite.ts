import type * as Sqlite from 'node:sqlite';

/** A connection of `node:sqlite`. */
export type Connection = Sqlite.DatabaseSync;

/** What a row may hold when it is read back; every reader checks it. */
export type Cell = Sqlite.SQLOutputValue;

/** A statement of `node:sqlite`. */
type Statement = Sqlite.StatementSync;

const statements = new WeakMap<Connection, Map<string, Statement>>();

/**
 * A statement as `prepare` gives it, the same for the same text as long as the connection lives. For what is done hundreds of times in one transaction: SQLite
 * takes as long to prepare a statement as to run it.
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
 * `node:sqlite`, loaded when it is first needed. Node 22 prints "ExperimentalWarning: SQLite is an experimental feature …"
 * when the module is loaded, which would stand on the standard error of every command; exactly this warning is dropped,
 * and only during this call. https://nodejs.org/docs/latest-v22.x/api/sqlite.html
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
    // Not an import: that would load it before the line above.
    loaded = process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emit;
  }
  return loaded;
};

/** SQLite's primary result codes that mean something to Curfew. https://www.sqlite.org/rescode.html */
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

/** The primary result code of an error that SQLite reported, or null for any other error. */
export const resultCodeOf = (error: unknown): number | null =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : null;

/** Whether SQLite says that the file itself is damaged (and not that it could not be reached). */
export const meansDamaged = (error: unknown): boolean => {
  const code = resultCodeOf(error);
  return code === resultCode.corrupt || code === resultCode.notADatabase;
};

/**
 * How long one process waits for other ones' transactions, milliseconds. Ours take a few; but thirty processes that write as fast as they
 * can, on a machine with two slow cores, are served within this, too.
 */
export const patienceMs = 10_000;

/** Between two attempts to get the write lock SQLite sleeps at most about so long, milliseconds. */
const attemptMs = 20;

/**
 * Takes the write lock. SQLite's own waiting sleeps longer and longer, 100 ms in the end, and gets no turn while others come and go:
 * of thirty writers some waited over 5 s. Short waits again and again get one.
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
 * Runs `work` in one transaction that holds the write lock from the beginning, so that what it reads stays true until it
 * writes. Rolls back and throws when `work` throws.
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
      // After some errors (disk full, I/O) SQLite has rolled back by itself; the first error is the one that tells why.
    }
    throw error;
  }
};
