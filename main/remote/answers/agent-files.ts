import { utf8Of } from '../../os/recorded/utf8.ts';
import { posix } from 'node:path';
import type { AgentFiles, SmallFile } from '../../os/files/small-file.ts';

/** The last parts of paths that are read; none can hold the colon that stands behind. */
const readable =
  /^(?:sessions\/\d{1,7}\.json|daemon\/roster\.json|jobs\/[0-9a-z]{1,32}\/adopt\.json|session-state\/[\w.-]{1,128}\/detached-shells\/[\w.-]{1,160}\.lease\.json)(?=:)/u;

/** Agents' own files as a machine sent them: folders with names, and a few files' contents. */
export class RemoteAgentFiles implements AgentFiles {
  readonly #folders = new Map<string, 'read' | 'absent' | 'unreadable'>();
  readonly #names = new Map<string, Set<string>>();
  readonly #contents = new Map<string, string>();

  /**
   * @param records of the part `files` of an answer, one character a byte
   * @param configurations the folders that were asked for; what lies elsewhere is passed over
   */
  constructor(records: readonly string[], configurations: readonly string[]) {
    for (const record of records) {
      const text = utf8Of(record);
      const folder = /^\?(?<state>read|absent|unreadable) (?<path>\/.*)$/su.exec(text)?.groups;
      if (folder !== undefined)
        this.#folders.set(folder['path'] ?? '', folder['state'] as 'read' | 'absent' | 'unreadable');
      else if (text.startsWith('/')) this.#take(text, configurations);
    }
  }

  #take(text: string, configurations: readonly string[]): void {
    const configuration = configurations.find((folder) => text.startsWith(`${folder}/`));
    if (configuration === undefined) return;
    const rest = text.slice(configuration.length + 1);
    const file = readable.exec(rest)?.[0];
    if (file !== undefined) this.#contents.set(posix.join(configuration, file), rest.slice(file.length + 1));
    else {
      const folder = posix.dirname(text);
      const names = this.#names.get(folder) ?? new Set();
      names.add(posix.basename(text));
      this.#names.set(folder, names);
    }
  }

  /** Every answer is read anew, so nothing is ever taken for unchanged. */
  stamp(path: string): SmallFile<{ readonly stamp: string; readonly changedMs: number }> {
    const content = this.#contents.get(path);
    if (content !== undefined) return { state: 'read', value: { stamp: content, changedMs: 0 } };
    return this.#isAbsent(path) ? { state: 'absent' } : { state: 'unreadable' };
  }

  text(path: string): SmallFile<string> {
    const value = this.#contents.get(path);
    return value === undefined ? { state: 'unreadable' } : { state: 'read', value };
  }

  names(path: string, most: number): SmallFile<readonly string[]> {
    const state = this.#folders.get(path);
    if (state === 'absent' || state === 'unreadable') return { state };
    const names = this.#names.get(path);
    if (state === undefined && names === undefined && !this.#isListed(path))
      return this.#isAbsent(path) ? { state: 'absent' } : { state: 'unreadable' };
    const value = [...(names ?? [])];
    return value.length > most ? { state: 'unreadable' } : { state: 'read', value };
  }

  #isListed(path: string): boolean {
    return this.#names.get(posix.dirname(path))?.has(posix.basename(path)) ?? false;
  }

  /** True only if its folder was read, or known missing, without it: the unasked is unknown. */
  #isAbsent(path: string): boolean {
    const state = this.#folders.get(posix.dirname(path));
    return state === 'absent' || (state === 'read' && !this.#isListed(path));
  }
}
