import { write } from 'node:fs';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pattern } from '../../../app/format/pattern.ts';

const writeSome = promisify(write);

/** Of a line without an end only this much is kept, in characters. */
const maxLine = 65_536;
/** A line without an end is complete when nothing has followed for so long, milliseconds: agents print a result without a newline and wait. */
const lastWordMs = 300;

/** Tells when a line of output fits a pattern. One for each stream. */
export class LineWatch {
  readonly #pattern: Pattern;
  readonly #onMatch: () => void;
  readonly #decoder = new TextDecoder();
  #line = '';
  #timer: NodeJS.Timeout | null = null;

  constructor(pattern: Pattern, onMatch: () => void) {
    this.#pattern = pattern;
    this.#onMatch = onMatch;
  }

  /** Takes the next bytes. */
  feed(bytes: Uint8Array): void {
    const lines = (this.#line + this.#decoder.decode(bytes, { stream: true })).split('\n');
    this.#line = (lines.pop() ?? '').slice(0, maxLine);
    for (const line of lines) this.#test(line);
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = this.#line === '' ? null : setTimeout(() => this.#test(this.#line), lastWordMs);
  }

  /** There will be no more. */
  end(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#line !== '') this.#test(this.#line);
  }

  #test(line: string): void {
    if (this.#pattern.occursIn(line.replace(/\r$/u, ''))) this.#onMatch();
  }
}

/**
 * Writes all bytes to a descriptor, whatever it is, waiting for a slow reader in another thread so that the limits go on. False when nobody reads any more.
 * Throws other errors of the file system.
 */
const writeAll = async (fd: number, bytes: Uint8Array): Promise<boolean> => {
  for (let at = 0; at < bytes.length;) {
    try {
      at += (await writeSome(fd, bytes, at, bytes.length - at, null)).bytesWritten;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : null;
      if (code === 'EPIPE') return false;
      if (code !== 'EAGAIN') throw error;
      await sleep(5);
    }
  }
  return true;
};

/**
 * Passes a stream on to a descriptor as it comes, byte for byte, and shows it to a watch. Ends with the stream, or when nobody reads any more: then the stream is
 * closed, so that its writer hears of it as it would have without us.
 */
export const passOn = async (
  from: NodeJS.ReadableStream & AsyncIterable<unknown>,
  to: number,
  watch: LineWatch,
): Promise<void> => {
  for await (const bytes of from) {
    if (!(bytes instanceof Uint8Array)) continue;
    watch.feed(bytes);
    if (!(await writeAll(to, bytes))) break;
  }
  watch.end();
};
