import { closeSync, constants, fstatSync, mkdirSync, renameSync, rmSync, writeSync } from 'node:fs';
import { openRegularFile } from '../../os/files/bounded-read.ts';
import { dirname } from 'node:path';
import { lockFile } from '../database/file-lock.ts';
import { fileAt } from '../database/set-aside.ts';
import { isHeldOpen } from './rename-over.ts';

export interface RotationLimits {
  /** A file of this size is rotated before the next line. */
  readonly bytes: number;
  readonly files: number;
}

const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;

/**
 * Two processes that rotate at once would rotate a new file; if another is rotating, this one does
 * so a line later.
 */
const patienceMs = 100;

/**
 * A file that any number of processes append lines to; `x.log` becomes `x.log.1`, that `x.log.2`
 * and so on. Each line is written in one write with O_APPEND before `append` returns, so that a
 * crash of this process loses none and lines of several processes don't mix.
 * Not rotating-file-stream: it buffers, so the last lines before a crash, the interesting ones,
 * would be lost.
 */
export class RotatingFile {
  readonly #path: string;
  readonly #limits: RotationLimits;
  #open: { readonly descriptor: number; readonly file: string | null } | null = null;
  #torn = false;

  constructor(path: string, limits: RotationLimits) {
    this.#path = path;
    this.#limits = limits;
  }

  /**
   * Appends a line with its line end.
   * @throws errors of the file system
   */
  append(line: string): void {
    const bytes = Buffer.from(this.#torn ? `\n${line}` : line);
    let descriptor = this.#current();
    if (fstatSync(descriptor).size >= this.#limits.bytes) {
      this.#rotate();
      descriptor = this.#current();
    }
    const written = writeSync(descriptor, bytes);
    this.#torn = written < bytes.length;
    if (this.#torn) throw new Error(`only ${written} of ${bytes.length} bytes could be written`);
  }

  /** Closes the file; the next line opens it again. */
  close(): void {
    if (this.#open !== null) closeSync(this.#open.descriptor);
    this.#open = null;
  }

  /**
   * Returns the descriptor of the file at the path now: other processes rotate it, and users remove
   * it.
   */
  #current(): number {
    if (this.#open !== null && this.#open.file === fileAt(this.#path)) return this.#open.descriptor;
    this.close();
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const descriptor = openRegularFile(this.#path, flags, 0o600);
    const { dev, ino } = fstatSync(descriptor, { bigint: true });
    this.#open = { descriptor, file: `${dev}:${ino}` };
    return descriptor;
  }

  #rotate(): void {
    const lock = lockFile(`${this.#path}.lock`, 'exclusive', patienceMs);
    if (lock === null) return;
    try {
      // Another process may have done it meanwhile.
      if (this.#open === null || this.#open.file !== fileAt(this.#path)) return;
      const name = (number: number): string => (number === 0 ? this.#path : `${this.#path}.${number}`);
      rmSync(name(this.#limits.files - 1), { force: true });
      for (let number = this.#limits.files - 2; number >= 0; number -= 1) {
        if (fileAt(name(number)) !== null) renameSync(name(number), name(number + 1));
      }
    } catch (error) {
      // A program shows an older one just now: this one grows until that one is closed.
      if (!isHeldOpen(error)) throw error;
    } finally {
      lock.release();
    }
  }
}
