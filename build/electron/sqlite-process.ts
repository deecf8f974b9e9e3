// The other end of sqlite-elsewhere.ts: `node:sqlite` in a plain Node, asked over standard input.
// It ends with the process that asks, and so do the kernel's locks that it holds for it.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { readFrame, writeFrame, type SqliteAnswered, type SqliteAsked } from './sqlite-frames.ts';

interface Held {
  readonly database: DatabaseSync;
  readonly statements: Map<string, StatementSync>;
}

const connections = new Map<number, Held>();
let opened = 0;

const heldBy = (connection: number): Held => {
  const found = connections.get(connection);
  if (found === undefined) throw new Error('database is not open');
  return found;
};

const statement = (connection: number, text: string): StatementSync => {
  const { database, statements } = heldBy(connection);
  const known = statements.get(text) ?? database.prepare(text);
  statements.set(text, known);
  return known;
};

const answer = (asked: SqliteAsked): unknown => {
  switch (asked.do) {
    case 'open': {
      const database = new DatabaseSync(asked.path, asked.options);
      connections.set((opened += 1), { database, statements: new Map() });
      return opened;
    }
    case 'exec':
      return heldBy(asked.connection).database.exec(asked.text);
    case 'prepare':
      return void statement(asked.connection, asked.text);
    case 'close':
      heldBy(asked.connection).database.close();
      return void connections.delete(asked.connection);
    default:
      return statement(asked.connection, asked.text)[asked.do](...(asked.given as SQLInputValue[]));
  }
};

const answered = (asked: SqliteAsked): SqliteAnswered => {
  try {
    return { value: answer(asked) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { error: error.message, fields: Object.fromEntries(Object.entries(error)) };
  }
};

for (;;) {
  const asked = readFrame(0) as SqliteAsked | undefined;
  if (asked === undefined) break;
  writeFrame(1, answered(asked));
}
