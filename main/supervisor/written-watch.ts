import { existsSync, type FSWatcher, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProcessRef } from '../../app/jobs/ledger/ledger.ts';
import type { ProcessSource, WrittenFile } from '../os/processes/source.ts';

/** What is watched at most, of all agents. */
const maxWatched = 128;
/** Of more changes than this between two looks no further one is heard: 100 ms of work. */
const maxChanges = 20_000;

/** What is heard: a file that came into a folder, or a change of a file. */
export type Written = 'named' | 'changed';

/** What a watch of what agents write works with. */
export interface WrittenTools {
  readonly written: NonNullable<ProcessSource['written']>;
  /** True for the name of what comes into the folder for temporary files with a tool call. */
  readonly isCallFile: (name: string) => boolean;
  readonly heard: (what: Written) => void;
}

/**
 * Hears when agents write to what they have open (transcripts, databases, folders for the output of
 * commands), and what comes into the folder for temporary files with a tool call. Most write of a
 * command before they start it: Claude Code 2.1 makes its output file 2 ms ahead. Where nothing can
 * be watched nothing is heard.
 */
export class WrittenWatch {
  readonly #tools: WrittenTools;
  readonly #watched = new Map<number, Map<string, FSWatcher>>();
  #temporary: FSWatcher | null = null;
  #changes = 0;

  constructor(tools: WrittenTools) {
    this.#tools = tools;
  }

  /** Begins anew to count changes, and listens to no other agents any more. */
  keepTo(agents: readonly ProcessRef[]): void {
    this.#changes = 0;
    const pids = new Set(agents.map(({ pid }) => pid));
    for (const [pid, watchers] of this.#watched) {
      if (pids.has(pid)) continue;
      for (const watcher of watchers.values()) watcher.close();
      this.#watched.delete(pid);
    }
    if (agents.length === 0) this.#endTemporary();
    else this.#temporary ??= this.#begin(tmpdir(), 'folder', this.#tools.isCallFile, () => (this.#temporary = null));
  }

  /** Listens to what an agent has open now. */
  listen({ pid }: ProcessRef): void {
    const files = this.#tools.written(pid);
    const ids = new Set(files.map(({ id }) => id));
    const watchers = this.#watched.get(pid) ?? new Map<string, FSWatcher>();
    this.#watched.set(pid, watchers);
    for (const [id, watcher] of watchers) {
      if (ids.has(id)) continue;
      watcher.close();
      watchers.delete(id);
    }
    for (const { id, path, kind } of files) {
      const count = [...this.#watched.values()].reduce((sum, { size }) => sum + size, 0);
      if (watchers.has(id) || count >= maxWatched) continue;
      const watcher = this.#begin(
        path,
        kind,
        () => true,
        () => watchers.delete(id),
      );
      if (watcher !== null) watchers.set(id, watcher);
    }
  }

  /** Listens no more. */
  close(): void {
    this.keepTo([]);
  }

  #endTemporary(): void {
    this.#temporary?.close();
    this.#temporary = null;
  }

  /** Returns null where it was closed meanwhile, or there are no more watches. */
  #begin(
    path: string,
    kind: WrittenFile['kind'],
    isMeant: (name: string) => boolean,
    ended: () => void,
  ): FSWatcher | null {
    try {
      const watcher = watch(path, { persistent: false }, (event, name) => {
        if (++this.#changes > maxChanges) {
          watcher.close();
          ended();
        } else if (kind === 'file') this.#tools.heard('changed');
        // A change in a folder is the output of a command that runs; a name may also go.
        else if (event === 'rename' && name !== null && isMeant(name) && existsSync(join(path, name)))
          this.#tools.heard('named');
      });
      watcher.on('error', () => {
        watcher.close();
        ended();
      });
      return watcher;
    } catch {
      return null;
    }
  }
}
