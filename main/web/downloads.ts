import { randomBytes } from 'node:crypto';
import type { ExportContent } from '../interface/answers/surface.ts';

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
