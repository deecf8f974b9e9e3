import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeWholeFile } from '../../../store/files/whole-file.ts';
import type { HookFolders } from './folders.ts';

/** Copies that are kept of one agent's file: the latest ones. */
const maxCopies = 10;

/**
 * Keeps an agent's file as it was. Not beside the file, because agents read every file of some of
 * these folders; for the user alone (0600), because settings hold keys.
 * @returns where it is
 * @throws the file system's error; then nothing may be changed
 */
export const keepCopy = (folders: HookFolders, name: string, text: string, atMs: number): string => {
  mkdirSync(folders.copies, { recursive: true, mode: 0o700 });
  const stamp = new Date(atMs).toISOString().replaceAll(':', '-');
  const own = `${name}-${stamp}.json`;
  const path = join(folders.copies, own);
  writeWholeFile(path, text);
  // By a clock that was set this one may be the oldest. Names of other files are longer.
  const old = readdirSync(folders.copies)
    .filter((one) => one.startsWith(`${name}-`) && one.length === own.length && one !== own)
    .toSorted()
    .slice(0, 1 - maxCopies);
  for (const one of old) rmSync(join(folders.copies, one), { force: true });
  return path;
};
