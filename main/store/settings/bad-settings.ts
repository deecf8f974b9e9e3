import { readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { readBoundedText } from '../../os/files/bounded-read.ts';

const stamp = (atMs: number): string =>
  new Date(atMs)
    .toISOString()
    .replaceAll(/[-:]/gu, '')
    .replace(/\.\d+Z$/u, 'Z');

const holds = (path: string, text: string): boolean => {
  try {
    return readBoundedText(path) === text;
  } catch {
    // Not readable: then it can't be known to be the same, and another copy costs nothing.
    return false;
  }
};

const alreadyThere = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST';

/**
 * Keeps a copy of a settings file that makes no sense as `settings.bad-20261121T020000Z.json`
 * beside it, once for each content. Returns the path of the copy.
 * @throws the file system's error when it can't be kept
 */
export const keepBeside = (path: string, text: string, atMs: number): string => {
  const folder = dirname(path);
  const extension = extname(path);
  const stem = `${basename(path, extension)}.bad-`;
  const copies = readdirSync(folder).filter((name) => name.startsWith(stem) && name.endsWith(extension));
  const same = copies.map((name) => join(folder, name)).find((copy) => holds(copy, text));
  if (same !== undefined) return same;
  for (let number = 1; ; number += 1) {
    const copy = join(folder, `${stem}${stamp(atMs)}${number === 1 ? '' : `-${number}`}${extension}`);
    try {
      writeFileSync(copy, text, { flag: 'wx', mode: 0o600, flush: true });
      return copy;
    } catch (error) {
      // Another process may have kept the same content in the same second.
      if (!alreadyThere(error)) throw error;
      if (holds(copy, text)) return copy;
    }
  }
};
