import { type FSWatcher, statSync, watch } from 'node:fs';
import type { HookFolders } from '../form/folders.ts';
import { hasNews } from './inbox.ts';

/** Events come in bursts: wait for the rest of one, milliseconds. */
const burstMs = 30;

const identityOf = (folder: string): string | null => {
  try {
    const { dev, ino } = statSync(folder);
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
};

/**
 * Hears of sessions that begin and end the moment their hooks tell of it. Tool calls and replies,
 * of which there are many, wait for the next look. Where folders can't be watched (no more inotify
 * watches, no inbox yet) nothing is heard, and the looks find everything.
 */
export class InboxWatch {
  readonly #folders: HookFolders;
  readonly #uid: number;
  #watched: { readonly folder: string; readonly watcher: FSWatcher } | null = null;
  #burst: NodeJS.Timeout | null = null;

  constructor(folders: HookFolders, uid: number) {
    this.#folders = folders;
    this.#uid = uid;
  }

  /** Begins to listen, or goes on; anew when the folder is another one. Never throws. */
  listen(heard: () => void): void {
    const folder = identityOf(this.#folders.inbox);
    if (folder === (this.#watched?.folder ?? null)) return;
    this.close();
    if (folder === null) return;
    try {
      const watcher = watch(this.#folders.inbox, { persistent: false }, (_, name) => {
        if (name === null || name.endsWith('.event')) this.#soon(heard);
      });
      // What goes wrong later leaves the looks; the folder is tried again before the next of them.
      watcher.on('error', () => this.close());
      this.#watched = { folder, watcher };
    } catch {
      this.#watched = null;
    }
  }

  close(): void {
    this.#watched?.watcher.close();
    this.#watched = null;
    if (this.#burst !== null) clearTimeout(this.#burst);
    this.#burst = null;
  }

  #soon(heard: () => void): void {
    this.#burst ??= setTimeout(() => {
      this.#burst = null;
      try {
        if (hasNews(this.#folders, this.#uid)) heard();
      } catch {
        // It can't be read now; the next look says so.
      }
    }, burstMs).unref();
  }
}
