import type { Said } from '../../../../app/format/said.ts';
import { say } from '../../../../app/text/say.ts';
import { randomUUID } from 'node:crypto';
import {
  chownSync,
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isInFolder } from '../../../../app/paths/path.ts';
import { messageOf } from '../../../../app/format/error-message.ts';
import { syncFolder } from '../../../store/database/set-aside.ts';
import { placeOfAnother } from '../../../os/files/owned-place.ts';
import { renameOver, leadsToAnotherUser } from '../../../store/files/whole-file.ts';
import { readBoundedFile } from '../../../os/files/bounded-read.ts';
import { isAbsence } from '../../../os/files/small-file.ts';

export type SettingsDocument =
  /** `path` is where it would be made: behind a link that leads nowhere yet, where that leads. */
  | { readonly kind: 'missing'; readonly path: string }
  /** `path` is the file itself, links followed. */
  | { readonly kind: 'read'; readonly path: string; readonly text: string; readonly mode: number }
  | { readonly kind: 'refused'; readonly why: Said };

/** Larger files are no settings, bytes. */
const largest = 4 * 1024 * 1024;

/** Follows links to where a missing file would be: a link that leads nowhere must stay one. */
const missingTarget = (path: string): string => {
  let current = path;
  for (let step = 0; step < 16; step += 1) {
    try {
      if (!lstatSync(current).isSymbolicLink()) return current;
    } catch (error) {
      if (isAbsence(error)) return current;
      throw error;
    }
    current = resolve(dirname(current), readlinkSync(current));
  }
  throw new Error(`${path} is a circle of links`);
};

const decode = (bytes: Buffer): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return null;
  }
};

const foreignLink = say('it is a link to a place of another user');
const foreignPlace = say('it is in a place of another user');

/** Root would leave files there that the user's agent can't change; null: it may be written. */
const foreignOf = (path: string): Said | null =>
  leadsToAnotherUser(path) ? foreignLink : placeOfAnother(path) === null ? null : foreignPlace;

/** Reads an agent's settings file. Never throws; what isn't read exactly is refused, with why. */
export const readSettingsDocument = (path: string): SettingsDocument => {
  try {
    const real = realpathSync(path);
    const foreign = foreignOf(path);
    if (foreign !== null) return { kind: 'refused', why: foreign };
    const file = readBoundedFile(real, largest);
    if (file.kind === 'no-file') return { kind: 'refused', why: say('it is not a regular file') };
    if (file.kind === 'too-large')
      return { kind: 'refused', why: say('it has {bytes} bytes, too many for settings', { bytes: file.bytes }) };
    const text = decode(file.bytes);
    if (text === null) return { kind: 'refused', why: say('it is not UTF-8') };
    return { kind: 'read', path: real, text, mode: file.mode };
  } catch (error) {
    if (!isAbsence(error)) return { kind: 'refused', why: messageOf(error) };
    try {
      const made = missingTarget(path);
      const foreign = foreignOf(path);
      return foreign === null ? { kind: 'missing', path: made } : { kind: 'refused', why: foreign };
    } catch (problem) {
      return { kind: 'refused', why: messageOf(problem) };
    }
  }
};

/** Another program changed the file between reading and writing; nothing was written. */
class SettingsChangedMeanwhile extends Error {
  override readonly name = 'SettingsChangedMeanwhile';
}

const confirmUnchanged = (before: Exclude<SettingsDocument, { kind: 'refused' }>): void => {
  const now = readSettingsDocument(before.path);
  const same = before.kind === 'read' ? now.kind === 'read' && now.text === before.text : now.kind === 'missing';
  if (!same) throw new SettingsChangedMeanwhile(`${before.path} was changed by another program just now; try again`);
};

const takeOwner = (descriptor: number, beside: string, path: string): void => {
  const wanted = lstatSync(path);
  const own = fstatSync(descriptor);
  if (own.uid !== wanted.uid || own.gid !== wanted.gid) chownSync(beside, wanted.uid, wanted.gid);
};

/**
 * Writes a settings file whole or not at all: beside it, onto the disk, then in its place by
 * renaming. Rights and owner stay, a link to it stays a link.
 * @throws SettingsChangedMeanwhile, or the file system's error; then the file is as it was
 */
export const writeSettingsDocument = (before: Exclude<SettingsDocument, { kind: 'refused' }>, text: string): void => {
  const beside = join(dirname(before.path), `.${basename(before.path)}.${randomUUID()}.tmp`);
  try {
    const descriptor = openSync(beside, 'wx', 0o600);
    try {
      writeFileSync(descriptor, text);
      if (before.kind === 'read') {
        takeOwner(descriptor, beside, before.path);
        fchmodSync(descriptor, before.mode);
      }
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    confirmUnchanged(before);
    renameOver(beside, before.path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
  syncFolder(dirname(before.path));
};

/** Removes a settings file. Throws as `writeSettingsDocument` does; then it is as it was. */
export const removeSettingsDocument = (before: Exclude<SettingsDocument, { kind: 'refused' }>): void => {
  confirmUnchanged(before);
  rmSync(before.path, { force: true });
};

/** Makes a file's folder; returns those it made, outermost first. Throws the system's error. */
export const makeFolderOf = (path: string): readonly string[] => {
  // Windows answers with backslashes alone, whatever it was asked with.
  const folder = resolve(dirname(path));
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return [];
  const made: string[] = [];
  for (let one = folder; isInFolder(one, first); one = dirname(one)) made.unshift(one);
  return made;
};

/** Removes folders, the innermost first, as long as they are empty. */
export const removeEmptyFolders = (folders: readonly string[]): void => {
  for (const folder of folders.toReversed()) {
    try {
      if (readdirSync(folder).length > 0) return;
      rmdirSync(folder);
    } catch (error) {
      if (isAbsence(error)) continue;
      throw error;
    }
  }
};
