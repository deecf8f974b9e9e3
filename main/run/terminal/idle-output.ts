import { codeOf } from '../../../app/format/error-message.ts';
import { write } from 'node:fs';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pattern } from '../../../app/format/pattern.ts';

const writeSome = promisify(write);

/** At most this many characters of an unfinished line are kept. */
const maxLine = 65_536;
/** Ms after which an unfinished line is complete: agents print results without a newline. */
const lastWordMs = 300;

/** Detects a line of output that matches a pattern. One for each stream. */
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

  /** Adds bytes. */
  feed(bytes: Uint8Array): void {
    const lines = (this.#line + this.#decoder.decode(bytes, { stream: true })).split('\n');
    this.#line = (lines.pop() ?? '').slice(0, maxLine);
    for (const line of lines) this.#test(line);
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = this.#line === '' ? null : setTimeout(() => this.#test(this.#line), lastWordMs);
  }

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
 * Writes all bytes to a descriptor of any kind. A slow reader blocks another thread, so the limits
 * go on. False when the reader is gone.
 * @throws other errors of the file system
 */
const writeAll = async (fd: number, bytes: Uint8Array): Promise<boolean> => {
  for (let at = 0; at < bytes.length;) {
    try {
      at += (await writeSome(fd, bytes, at, bytes.length - at, null)).bytesWritten;
    } catch (error) {
      const code = codeOf(error);
      if (code === 'EPIPE') return false;
      if (code !== 'EAGAIN') throw error;
      await sleep(5);
    }
  }
  return true;
};

/**
 * Copies a stream to a descriptor byte for byte and feeds it to a watch. Ends with the stream or
 * when the reader is gone; then the stream is closed, so that its writer gets EPIPE as without us.
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
