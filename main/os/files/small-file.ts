import { codeOf } from '../../../app/format/error-message.ts';
import { constants, lstatSync, opendirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { readBoundedFile } from './bounded-read.ts';
import { leadsToOtherMachine } from './other-machine.ts';

/** What reading an agent's file gave. `absent` is a fact; `unreadable` proves nothing. */
export type SmallFile<Value> =
  | { readonly state: 'read'; readonly value: Value }
  | { readonly state: 'absent' }
  | { readonly state: 'unreadable' };

/** Agents' registries have at most some kilobytes a file; anything bigger is not one. */
const maxBytes = 256 * 1024;

/** True for errors of "there is no such thing"; others mean that it could not be read. */
export const isAbsence = (error: unknown): boolean => codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';

/** Errors of the file system are an answer here; anything else is a fault of ours and goes on. */
const isFileError = (error: unknown): boolean => codeOf(error) !== null;

/**
 * Where agents' files are read from: this machine's disk, or what another machine sent of its own.
 * Synchronous; never throws for what is there.
 */
export interface AgentFiles {
  /** Something that changes with the content, and its last change (wall clock, milliseconds). */
  stamp(path: string): SmallFile<{ readonly stamp: string; readonly changedMs: number }>;
  /** The content of a small regular file of that user. */
  text(path: string, uid: number): SmallFile<string>;
  /** The names in a folder; `unreadable` also when there are more than `most`. */
  names(path: string, most: number): SmallFile<readonly string[]>;
}

const readText = (path: string, uid: number): SmallFile<string> => {
  try {
    // Windows has no flag for this.
    if (process.platform === 'win32' && lstatSync(path).isSymbolicLink()) return { state: 'unreadable' };
    const file = readBoundedFile(path, maxBytes, constants.O_NOFOLLOW);
    if (file.kind !== 'read' || file.uid !== uid) return { state: 'unreadable' };
    return { state: 'read', value: file.bytes.toString('utf8') };
  } catch (error) {
    if (!isFileError(error)) throw error;
    return { state: isAbsence(error) ? 'absent' : 'unreadable' };
  }
};

const readStamp = (path: string): SmallFile<{ readonly stamp: string; readonly changedMs: number }> => {
  try {
    // Most of what a look asks for is not there: an error for each costs more than the question.
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return { state: 'absent' };
    const { ino, size, mtimeMs, ctimeMs } = found;
    const value = { stamp: `${ino}:${size}:${mtimeMs}:${ctimeMs}`, changedMs: Math.max(mtimeMs, ctimeMs) };
    return { state: 'read', value };
  } catch (error) {
    if (!isFileError(error)) throw error;
    return { state: isAbsence(error) ? 'absent' : 'unreadable' };
  }
};

/**
 * When something that is there was changed last, whatever it is: wall clock, milliseconds; null
 * where that can't be told. Of a link also what it points to.
 * @param written only its content counts, and no change of its name, owner or times
 */
export const changedMsOf = (path: string, written = false): number | null => {
  if (leadsToOtherMachine(path)) return null;
  try {
    const own = lstatSync(path);
    const target = own.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false }) : own;
    if (written) return target?.mtimeMs ?? null;
    return Math.max(own.mtimeMs, own.ctimeMs, target?.mtimeMs ?? 0, target?.ctimeMs ?? 0);
  } catch (error) {
    if (!isFileError(error)) throw error;
    return null;
  }
};

const isThere = (path: string): boolean => {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    if (!isFileError(error)) throw error;
    return !isAbsence(error);
  }
};

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Something else is in the folder's place, or its parent's: a file, a link to nowhere. */
const isInTheWay = (path: string): boolean => {
  const around = dirname(path);
  try {
    return isThere(path) || (isThere(around) && !isFolder(around));
  } catch (error) {
    if (!isFileError(error)) throw error;
    return true;
  }
};

/** The names in a folder; null where there are more: of a million no more than that are read. */
const firstNames = (path: string, most: number): readonly string[] | null => {
  const folder = opendirSync(path);
  try {
    const names: string[] = [];
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      if (names.length === most) return null;
      names.push(entry.name);
    }
    return names;
  } finally {
    folder.closeSync();
  }
};

const readNames = (path: string, most: number): SmallFile<readonly string[]> => {
  try {
    const names = firstNames(path, most);
    return names === null ? { state: 'unreadable' } : { state: 'read', value: names };
  } catch (error) {
    if (!isFileError(error)) throw error;
    return { state: isAbsence(error) && !isInTheWay(path) ? 'absent' : 'unreadable' };
  }
};

/** What can't be looked at without another machine is not looked at. */
const here =
  <Rest extends readonly unknown[], Value>(read: (path: string, ...rest: Rest) => SmallFile<Value>) =>
  (path: string, ...rest: Rest): SmallFile<Value> =>
    leadsToOtherMachine(path) ? { state: 'unreadable' } : read(path, ...rest);

export const filesHere: AgentFiles = { stamp: here(readStamp), text: here(readText), names: here(readNames) };

interface Remembered<Value> {
  readonly stamp: string;
  readonly file: SmallFile<Value>;
}

/**
 * Small files of one kind, parsed once and again only when they changed. Only regular files of the
 * given user, not behind a link, up to 256 KiB. A `parse` that gives null makes a file unreadable;
 * it must not throw.
 */
export class SmallFiles<Value> {
  readonly #uid: number;
  readonly #parse: (text: string) => Value | null;
  readonly #files: AgentFiles;
  readonly #known = new Map<string, Remembered<Value>>();

  constructor(uid: number, parse: (text: string) => Value | null, files: AgentFiles = filesHere) {
    this.#uid = uid;
    this.#parse = parse;
    this.#files = files;
  }

  /** Reads and parses a file, or returns the last result if it is unchanged. Never throws. */
  read(path: string, nowMs: number): SmallFile<Value> {
    const stamped = this.#files.stamp(path);
    if (stamped.state !== 'read') {
      this.#known.delete(path);
      return stamped;
    }
    const { stamp, changedMs } = stamped.value;
    const known = this.#known.get(path);
    if (known?.stamp === stamp) return known.file;
    const text = this.#files.text(path, this.#uid);
    const value = text.state === 'read' ? this.#parse(text.value) : null;
    const file: SmallFile<Value> =
      text.state === 'read' ? (value === null ? { state: 'unreadable' } : { state: 'read', value }) : text;
    // Two writes within the grain of the file system's clock leave the same stamp: what is that
    // young is read again.
    if (nowMs - changedMs > 2000) this.#known.set(path, { stamp, file });
    else this.#known.delete(path);
    return file;
  }

  /** Forgets files that are no longer listed, so that the memory of a long run stays bounded. */
  keepOnly(paths: ReadonlySet<string>): void {
    for (const path of this.#known.keys()) if (!paths.has(path)) this.#known.delete(path);
  }
}
