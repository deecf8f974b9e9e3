import { join, sep } from 'node:path';
import { dossiers } from '../../../app/agents/dossiers.ts';
import type { AgentFiles, SmallFile } from '../../os/files/small-file.ts';

/**
 * What one look does in folders that processes name, in units of about 10 µs: a question about one
 * file, 16 names of a folder, or 4 KiB of a file.
 */
const maxUnits = 10_000;
const namesOfUnit = 16;
const bytesOfUnit = 4096;

/**
 * The files of agents, with a limit for each look on those that lie elsewhere than in the home
 * folder's usual places: any process, also one in a sandbox, names a folder by its environment, and
 * a look must not take minutes in it. What is beyond the limit is unreadable, which proves nothing.
 */
export class BoundedFiles implements AgentFiles {
  readonly #files: AgentFiles;
  readonly #usual: readonly string[];
  #left = maxUnits;

  constructor(files: AgentFiles, home: string) {
    this.#files = files;
    this.#usual = Object.values(dossiers).flatMap(({ registry }) =>
      registry === 'none' ? [] : [join(home, registry.folder) + sep],
    );
  }

  /** A look begins. */
  begin(): void {
    this.#left = maxUnits;
  }

  stamp(path: string): ReturnType<AgentFiles['stamp']> {
    return this.#bounded(
      path,
      () => this.#files.stamp(path),
      () => 0,
    );
  }

  text(path: string, uid: number): SmallFile<string> {
    return this.#bounded(
      path,
      () => this.#files.text(path, uid),
      (text) => text.length / bytesOfUnit,
    );
  }

  names(path: string, most: number): SmallFile<readonly string[]> {
    return this.#bounded(
      path,
      () => this.#files.names(path, most),
      (names) => names.length / namesOfUnit,
    );
  }

  #bounded<Value>(path: string, read: () => SmallFile<Value>, unitsOf: (value: Value) => number): SmallFile<Value> {
    if (this.#usual.some((folder) => path.startsWith(folder))) return read();
    if (this.#left <= 0) return { state: 'unreadable' };
    const file = read();
    this.#left -= 1 + (file.state === 'read' ? unitsOf(file.value) : 0);
    return file;
  }
}
