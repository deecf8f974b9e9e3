import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, extname, join, sep } from 'node:path';
import { failure } from '../../app/contract/answer.ts';
import { say } from '../../app/text/say.ts';
import type { Surface, ExportContent } from '../interface/answers/surface.ts';
import { randomBytes } from 'node:crypto';

/** The browser requests it right away; milliseconds. */
const lifetimeMs = 60_000;
const maxDownloads = 16;

export const downloadPath = '/api/export/';

/** Exports that wait to be fetched, each once, from an unguessable address. */
export class Downloads {
  readonly #waiting = new Map<string, { readonly content: ExportContent; readonly expiresAtMs: number }>();

  /** Keeps an export and returns its address, valid once and for a minute. */
  offer(content: ExportContent, nowMs: number): string {
    this.#forget(nowMs);
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size >= maxDownloads && oldest !== undefined) this.#waiting.delete(oldest);
    const id = randomBytes(24).toString('base64url');
    this.#waiting.set(id, { content, expiresAtMs: nowMs + lifetimeMs });
    return `${downloadPath}${id}`;
  }

  /** Returns the export of an address, or null. */
  take(id: string, nowMs: number): ExportContent | null {
    this.#forget(nowMs);
    const found = this.#waiting.get(id);
    this.#waiting.delete(id);
    return found?.content ?? null;
  }

  #forget(nowMs: number): void {
    for (const [id, { expiresAtMs }] of this.#waiting) if (expiresAtMs <= nowMs) this.#waiting.delete(id);
  }
}

const onThePage = { ok: false, failure: failure('unsupported', say('The page does this on its own.')) } as const;

/** Returns what a browser's page can do: little. `quit` ends the command that serves it. */
export const pageSurface = (downloads: Downloads, quit: () => void): Surface => ({
  kind: 'page',
  open: () => onThePage,
  copy: () => onThePage,
  openPath: async () => ({ ok: false, failure: failure('unsupported', say('A page can’t open folders.')) }),
  openPort: async () => onThePage,
  shortcut: () => 'unsupported',
  quit: () => {
    quit();
    return { ok: true, value: {} };
  },
  save: (content) =>
    Promise.resolve({ ok: true, value: { kind: 'download', url: downloads.offer(content, Date.now()) } }),
  autostart: null,
});

export interface PageFile {
  readonly type: string;
  readonly content: Buffer<ArrayBuffer>;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/**
 * Returns every file of the built page by its exact target, read once: no request ever becomes a
 * path, and a package replaced while the server runs doesn't mix two versions. Null when the page
 * was not built.
 * @throws the file system's error
 */
export const readPageFiles = (folder: string): ReadonlyMap<string, PageFile> | null => {
  if (!existsSync(join(folder, 'index.html'))) return null;
  const files = new Map<string, PageFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = types[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    const target = path.slice(folder.length).split(sep).join('/');
    files.set(target, { type, content: readFileSync(path) });
  }
  const page = files.get('/index.html');
  if (page !== undefined) files.set('/', page);
  return files;
};

/** Returns the built page's folder beside the command line, seen from `from`, or null. */
export const pageFolder = (from: string): string | null => {
  for (let folder = from; ; folder = dirname(folder)) {
    const built = join(folder, 'build', 'out', 'renderer');
    if (existsSync(join(built, 'index.html'))) return built;
    if (dirname(folder) === folder) return null;
  }
};
