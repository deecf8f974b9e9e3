import type { Said } from '../../../app/format/said.ts';
import { say } from '../../../app/text/say.ts';
import { closeSync, constants, fstatSync, mkdirSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '../../../app/format/error-message.ts';
import { openRegularFile } from '../../os/files/own-file.ts';
import { lockFile } from '../database/file-lock.ts';
import { fileAt } from '../database/set-aside.ts';
import { isHeldOpen } from './whole-file.ts';

export interface RotationLimits {
  /** A file of this size is rotated before the next line. */
  readonly bytes: number;
  readonly files: number;
}

const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;

/** Two rotating at once would rotate a new file: while another does, this waits a line. */
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

  /** Returns the descriptor of the path's file now: others rotate it, and users remove it. */
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

/** The importance of an entry. */
export type LogLevel = 'info' | 'warn' | 'error';

/** An entry's fields besides its message: errors, objects, lists; what JSON lacks is left out. */
export type LogFields = Readonly<Record<string, unknown>>;

/** The fields of every entry; a field of the same name is left out. */
const own = new Set(['time', 'level', 'pid', 'message']);

/** Deeper, wider and longer values are cut, so that an entry stays a readable line. */
const maxDepth = 4;
const maxWidth = 100;
const maxTextLength = 8_192;

const plain = (value: unknown, redact: (text: string) => string, depth: number): unknown => {
  if (typeof value === 'string') return redact(value).slice(0, maxTextLength).toWellFormed();
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object') return undefined;
  if (depth >= maxDepth) return '…';
  if (value instanceof Error) {
    const { name, message, stack, cause } = value;
    return plain({ name, message, stack, cause }, redact, depth + 1);
  }
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) return value.slice(0, maxWidth).map((item) => plain(item, redact, depth + 1));
  const entries = value instanceof Map ? [...value.entries()] : Object.entries(value);
  return Object.fromEntries(
    entries.slice(0, maxWidth).map(([name, item]) => [String(name), plain(item, redact, depth + 1)]),
  );
};

/**
 * Returns an entry of the log: one line of JSON with its line end. Every text in it has gone
 * through `redact`.
 * @param atMs wall clock, milliseconds
 */
const logLine = (
  entry: {
    readonly atMs: number;
    readonly level: LogLevel;
    readonly pid: number;
    readonly message: string;
    readonly fields: LogFields;
  },
  redact: (text: string) => string,
): string => {
  const fields = Object.entries(entry.fields).filter(([name]) => !own.has(name));
  const line = {
    time: new Date(entry.atMs).toISOString(),
    level: entry.level,
    pid: entry.pid,
    message: plain(entry.message, redact, 0),
    ...Object.fromEntries(fields.map(([name, value]) => [name, plain(value, redact, 0)])),
  };
  return `${JSON.stringify(line)}\n`;
};

/** The log of Curfew's own work, for tracing problems. Nothing here throws. */
export interface Log {
  readonly info: (message: string, fields?: LogFields) => void;
  readonly warn: (message: string, fields?: LogFields) => void;
  readonly error: (message: string, fields?: LogFields) => void;
  readonly close: () => void;
}

export interface LogOptions {
  /** Folder of the log files; made with the first entry. */
  readonly folder: string;
  /** Applied to every text. */
  readonly redact: (text: string) => string;
  /** Called once with a sentence when entries have to be dropped. */
  readonly warn: (said: Said) => void;
  /** 5 files of 2 MB by default. */
  readonly limits?: RotationLimits;
  /** Wall clock, milliseconds. */
  readonly now?: () => number;
}

export const logPath = (folder: string): string => join(folder, 'curfew.log');

/**
 * Opens the log: lines of JSON (`time`, `level`, `pid`, `message`, and the entry's fields), each
 * written before the call returns. What can't be written, as on a full disk, is dropped; `warn` is
 * called once, and the log itself counts the dropped entries when it works again.
 * Not pino (10.4): it bundles cleanly, but costs 5.5 MB of the 64 MB of a supervisor, and would
 * replace only `logLine`.
 */
export const openLog = (options: LogOptions): Log => {
  const { folder, redact, warn, limits = { bytes: 2_000_000, files: 5 }, now = Date.now } = options;
  const path = logPath(folder);
  const file = new RotatingFile(path, limits);
  let dropped = 0;
  let told = false;

  const append = (level: LogLevel, message: string, fields: LogFields): void =>
    file.append(logLine({ atMs: now(), level, pid: process.pid, message, fields }, redact));
  const write =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}): void => {
      try {
        if (dropped > 0) {
          append('warn', 'entries could not be written', { dropped });
          dropped = 0;
        }
        append(level, message, fields);
      } catch (error) {
        dropped += 1;
        if (told) return;
        told = true;
        const why = messageOf(error);
        warn(
          say(
            "The log ({path}) can't be written: {why}. Curfew goes on without it; free space or make the folder writable.",
            { path, why },
          ),
        );
      }
    };
  return {
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    close: () => {
      try {
        file.close();
      } catch (error) {
        // Some file systems report a failed write only now (close(2)).
        warn(say('The end of the log ({path}) may be missing: {why}.', { path, why: messageOf(error) }));
      }
    },
  };
};
