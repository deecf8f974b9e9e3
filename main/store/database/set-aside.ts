import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { companions } from './sqlite.ts';
import { syncsFolders } from '../../os/this-system.ts';

/** Returns the identity of a path's file, or null. Opens nothing (see `lockFile`). */
export const fileAt = (path: string): string | null => {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev}:${found.ino}`;
};

/**
 * Returns a text that is another one for a file that was put in the place of one: an inode is given
 * out again, so it counts with its birth (statx(2)). Empty where there is no file.
 *
 * Where no birth is told, the time of the last change stands in its place, which each write moves:
 * without statx (libuv), under Wine. So what equals that is no birth, and the text ends with ":".
 */
export const birthOf = (path: string): string => {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (found === undefined) return '';
  const { dev, ino, birthtimeNs, ctimeNs, mtimeNs } = found;
  return `${dev}:${ino}:${[0n, ctimeNs, mtimeNs].includes(birthtimeNs) ? '' : birthtimeNs}`;
};

/** Makes names in a folder durable. Neither possible nor needed on Windows. */
export const syncFolder = (folder: string): void => {
  if (!syncsFolders) return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

/** `history.db` → `history.corrupt-20261121T020000Z.db`, with a number when that exists. */
const freeName = (path: string, atMs: number): string => {
  const stamp = new Date(atMs)
    .toISOString()
    .replaceAll(/[-:]/gu, '')
    .replace(/\.\d+Z$/u, 'Z');
  const extension = extname(path);
  const stem = join(dirname(path), basename(path, extension));
  for (let number = 1; ; number += 1) {
    const name = `${stem}.corrupt-${stamp}${number === 1 ? '' : `-${number}`}${extension}`;
    if (!existsSync(name)) return name;
  }
};

/**
 * Moves a database and its companions aside, and returns the new path. The caller holds its
 * exclusive lock: SQLite deletes `-wal` by *name* when the last connection to a file closes, so a
 * surviving connection to the old file would delete the new one's
 * (https://www.sqlite.org/howtocorrupt.html, 2.5).
 */
export const setAside = (path: string, atMs: number): string => {
  const target = freeName(path, atMs);
  // The companions first: a new database would replay an old -wal beside it.
  for (const companion of companions) {
    if (existsSync(path + companion)) renameSync(path + companion, target + companion);
  }
  renameSync(path, target);
  syncFolder(dirname(path));
  return target;
};

/** Returns the databases that were set aside beside `path`, without companions. */
export const setAsideFiles = (path: string): readonly string[] => {
  const extension = extname(path);
  const prefix = `${basename(path, extension)}.corrupt-`;
  const folder = dirname(path);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter(
      (name) =>
        name.startsWith(prefix) && /^\d{8}T\d{6}Z(-\d+)?$/u.test(basename(name.slice(prefix.length), extension)),
    )
    .filter((name) => extname(name) === extension)
    .map((name) => join(folder, name))
    .toSorted();
};
