import { closeSync, constants, fstatSync, fsyncSync, mkdirSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { factKey } from '../../../app/jobs/spared/spared.ts';
import { openRegularFile } from '../../os/files/bounded-read.ts';
import { lockFile } from '../database/file-lock.ts';
import { fileAt, syncFolder } from '../database/set-aside.ts';
import { writeWholeFile } from '../files/whole-file.ts';
import { parsedLine, writtenLine, type SparedLine } from './spared-line.ts';

/** From this size on a file is compacted, where most of its lines are superseded; bytes. */
const compactFromBytes = 262_144;
const supersededShare = 4;
const appending = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;
/**
 * Boots whose lines are kept when a file is compacted, the latest written: several machines and
 * containers may share the file.
 */
const maxBoots = 64;

/** The lines that count, by boot and key. */
export type Lines = ReadonlyMap<string, ReadonlyMap<string, SparedLine>>;

export const supersedes = (one: SparedLine, known: SparedLine | undefined): boolean =>
  known === undefined || one.atTicks > known.atTicks;

const readFrom = (descriptor: number, from: number): Buffer => {
  const bytes = Buffer.alloc(Math.max(0, fstatSync(descriptor).size - from));
  let read = 0;
  while (read < bytes.length) {
    const count = readSync(descriptor, bytes, read, bytes.length - read, from + read);
    if (count === 0) break;
    read += count;
  }
  return bytes.subarray(0, read);
};

const writeAll = (descriptor: number, text: string): void => {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
};

/**
 * One copy of what is spared: a file to which lines are only appended. A torn or damaged line is
 * skipped, and whatever is at the path is read: lines of other boots and machines stay.
 */
export class SparedCopy {
  readonly #path: string;
  #file: string | null = null;
  #readBytes = 0;
  #lines = 0;
  readonly #known = new Map<string, Map<string, SparedLine>>();

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Reads what was appended since.
   * @throws the file system's error; no file is none
   */
  read(): Lines {
    const file = fileAt(this.#path);
    if (file !== this.#file) this.#forget(file);
    if (file === null) return this.#known;
    const descriptor = openRegularFile(this.#path, constants.O_RDONLY);
    try {
      // Shorter than before: it is an older copy, written in place.
      if (fstatSync(descriptor).size < this.#readBytes) this.#forget(file);
      this.#take(readFrom(descriptor, this.#readBytes));
    } finally {
      closeSync(descriptor);
    }
    return this.#known;
  }

  /**
   * Appends lines durably.
   * @throws the file system's error; a part may be on the disk then, which is skipped
   */
  append(lines: readonly SparedLine[]): void {
    if (lines.length === 0) return;
    const text = lines.map(writtenLine).join('');
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    // Another process may put a compacted file in place meanwhile: then it is written into that.
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const isNew = fileAt(this.#path) === null;
      const descriptor = openRegularFile(this.#path, appending, 0o600);
      try {
        const { size, dev, ino } = fstatSync(descriptor, { bigint: true });
        const isTorn = size > 0n && readFrom(descriptor, Number(size) - 1).at(0) !== 10;
        writeAll(descriptor, isTorn ? `\n${text}` : text);
        fsyncSync(descriptor);
        if (fileAt(this.#path) === `${dev}:${ino}`) {
          if (isNew) syncFolder(dirname(this.#path));
          break;
        }
      } finally {
        closeSync(descriptor);
      }
    }
    this.read();
    this.#compact();
  }

  #forget(file: string | null): void {
    this.#file = file;
    this.#readBytes = 0;
    this.#lines = 0;
    this.#known.clear();
  }

  #take(bytes: Buffer): void {
    const end = bytes.lastIndexOf(10) + 1;
    this.#readBytes += end;
    for (const text of bytes.toString('utf8', 0, end).split('\n')) {
      if (text === '') continue;
      this.#lines += 1;
      const one = parsedLine(text);
      if (one === null) continue;
      const known = this.#known.get(one.boot) ?? new Map<string, SparedLine>();
      // The boot that was written last comes last.
      this.#known.delete(one.boot);
      this.#known.set(one.boot, known);
      const key = factKey(one.fact);
      if (supersedes(one, known.get(key))) known.set(key, one);
    }
  }

  /** Leaves out superseded lines. What another process appends meanwhile is carried over. */
  #compact(): void {
    const kept = [...this.#known.values()].slice(-maxBoots).flatMap((lines) => [...lines.values()]);
    if (this.#readBytes < compactFromBytes || this.#lines < kept.length * supersededShare) return;
    const lock = lockFile(`${this.#path}.lock`, 'exclusive', 0);
    if (lock === null) return;
    try {
      const before = openRegularFile(this.#path, constants.O_RDONLY);
      try {
        const { dev, ino } = fstatSync(before, { bigint: true });
        if (`${dev}:${ino}` !== this.#file) return;
        const end = this.#readBytes;
        writeWholeFile(this.#path, kept.map(writtenLine).join(''));
        const late = readFrom(before, end).toString('utf8');
        this.read();
        this.append(late.split('\n').flatMap((text) => parsedLine(text) ?? []));
      } finally {
        closeSync(before);
      }
    } finally {
      lock.release();
    }
  }
}
