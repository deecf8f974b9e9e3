// Stands for `node:sqlite` in the variant of the desktop app for a Node that has none: each call is
// answered by the real one, in a plain Node beside it, while this thread waits. SQLite in
// WebAssembly was no way: node-sqlite3-wasm 0.8 locks by making a folder `FILE.lock`, where Curfew
// has its own lock file, knows no write-ahead log, and what it locked stays locked when the process
// is killed.
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFrame, writeFrame, type SqliteAnswered, type SqliteAsked } from './sqlite-frames.ts';

type Ask = (asked: SqliteAsked) => unknown;

/** Starts the plain Node. Named pipes, since Node's own to a child are read by its loop alone. */
const start = (): Ask => {
  const { CURFEW_VARIANT_NODE: node = '', CURFEW_VARIANT_SQLITE: program = '' } = process.env;
  const folder = mkdtempSync(join(tmpdir(), 'curfew-sqlite-'));
  const [to, from] = [join(folder, 'to'), join(folder, 'from')];
  execFileSync('mkfifo', ['-m', '600', to, from]);
  // With both ends open, opening one alone doesn't wait. Each side keeps only its own, so that
  // either notices when the other has ended.
  const both = [openSync(to, 'r+'), openSync(from, 'r+')];
  const [asks, hears, input, output] = [openSync(to, 'w'), openSync(from, 'r'), openSync(to, 'r'), openSync(from, 'w')];
  const child = spawn(node, [program], { stdio: [input, output, 'inherit'] });
  for (const one of [...both, input, output]) closeSync(one);
  rmSync(folder, { recursive: true });
  child.unref();
  return (asked) => {
    writeFrame(asks, asked);
    const answered = readFrame(hears) as SqliteAnswered | undefined;
    if (answered === undefined) throw new Error('the plain Node with SQLite has ended');
    if ('value' in answered) return answered.value;
    throw Object.assign(new Error(answered.error), answered.fields);
  };
};

let started: Ask | undefined;
const ask: Ask = (asked) => (started ??= start())(asked);

/** A connection; see `node:sqlite`. Only what Curfew uses of it is here. */
export class DatabaseSync {
  readonly #connection: number;

  constructor(path: string, options: object = {}) {
    this.#connection = Number(ask({ do: 'open', path, options }));
  }

  exec(text: string): void {
    ask({ do: 'exec', connection: this.#connection, text });
  }

  prepare(text: string): Readonly<Record<'run' | 'get' | 'all', (...given: unknown[]) => unknown>> {
    const connection = this.#connection;
    ask({ do: 'prepare', connection, text });
    const call =
      (name: 'run' | 'get' | 'all') =>
      (...given: unknown[]): unknown =>
        ask({ do: name, connection, text, given });
    return { run: call('run'), get: call('get'), all: call('all') };
  }

  close(): void {
    ask({ do: 'close', connection: this.#connection });
  }
}
