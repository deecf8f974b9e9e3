// What Curfew uses of Node 24 and the Node 18 in Electron 25 lacks, for the variant of the desktop
// app that a test runs there. It comes before the app's own main file.
import { createRequire, syncBuiltinESMExports } from 'node:module';
import fs, { type Dirent } from 'node:fs';
import { join, relative } from 'node:path';
import threads from 'node:worker_threads';
import { fill } from './missing.ts';
import { DatabaseSync } from './sqlite-elsewhere.ts';

const load: (id: string) => unknown = createRequire(import.meta.url);

fill(process, 'getBuiltinModule', (id: string): unknown => (id === 'node:sqlite' ? { DatabaseSync } : load(id)));

// An entry's folder, and a folder's entries with all below it.
const plain = fs.readdirSync;
const entriesBelow = (folder: string): Dirent[] =>
  plain(folder, { withFileTypes: true }).flatMap((entry) => {
    const own = Object.assign(entry, { parentPath: folder });
    return entry.isDirectory() ? [own, ...entriesBelow(join(folder, entry.name))] : [own];
  });
const readdirSync = (folder: string, options?: unknown): unknown => {
  if (typeof options !== 'object' || options === null || !('recursive' in options) || options.recursive !== true)
    return Reflect.apply(plain, fs, [folder, options]);
  const entries = entriesBelow(folder);
  return 'withFileTypes' in options && options.withFileTypes === true
    ? entries
    : entries.map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
};
Object.assign(fs, { readdirSync });

// A thread that is given as text has a process of its own to fill.
class Worker extends threads.Worker {
  constructor(program: string | URL, options?: threads.WorkerOptions) {
    const before = `process.getBuiltinModule ??= require;`;
    super(options?.eval === true ? `${before}${String(program)}` : program, options);
  }
}
Object.assign(threads, { Worker });
syncBuiltinESMExports();
