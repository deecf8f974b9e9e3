import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockFile, type FileLock } from '../../store/database/file-lock.ts';

/** Upper bound in ms for another process to replace a dead holder's file; it usually takes 1 ms. */
const patienceMs = 10_000;
/** Names that other users can take away before nothing is left for this one. */
const names = 16;

/**
 * Returns the folders in which the mutex of a lock may lie, the first choice first. /tmp comes
 * before a TMPDIR: the runs of a user need not share that, and must agree.
 */
const foldersIn = (bases: readonly string[]): readonly string[] => {
  const name = `curfew-locks-${process.getuid?.() ?? 0}`;
  return [...new Set(bases)].flatMap((base) =>
    Array.from({ length: names }, (_, at) => join(base, at === 0 ? name : `${name}-${at}`)),
  );
};

/** Another user could hold a mutex for ever, or replace it, in a folder that it can write. */
const isOwn = (folder: string): boolean => {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) return false;
  return process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o77) === 0);
};

/** Makes the folder unless it is there. The umask may remove even the owner's permissions. */
const make = (folder: string): void => {
  try {
    mkdirSync(folder, { mode: 0o700 });
    chmodSync(folder, 0o700);
  } catch {
    // It is there, or can't be made: then it is not this user's.
  }
};

const releaseAll = (held: readonly FileLock[]): void => {
  for (const lock of held.toReversed()) lock.release();
};

/** Takes the files in their order, which is the same for all; null where one stays held. */
const takeAll = (files: readonly string[], waitMs: number): readonly FileLock[] | null => {
  const held: FileLock[] = [];
  try {
    for (const file of files) {
      const lock = lockFile(file, 'exclusive', waitMs);
      if (lock === null) break;
      held.push(lock);
    }
  } catch (error) {
    releaseAll(held);
    throw error;
  }
  if (held.length === files.length) return held;
  releaseAll(held);
  return null;
};

const usual = (): readonly string[] => (process.platform === 'win32' ? [tmpdir()] : ['/tmp', tmpdir()]);

/**
 * Serialises replacing or removing a dead holder's file. The kernel releases it when its holder
 * dies. One place for all CURFEW_HOMEs of a user: the first folder that is the user's own. Which
 * is the first can change, so later ones are taken with it, and it is asked again at the end.
 * Creating the file needs no mutex: link(2) fails if it exists.
 * @throws when it stays held, or no folder is this user's own
 */
export const mutexFor = (place: string, bases = usual(), waitMs = patienceMs): FileLock => {
  const name = `${createHash('sha256').update(place).digest('hex').slice(0, 32)}.lock`;
  const folders = foldersIn(bases);
  for (let again = 0; again < folders.length; again++) {
    const first = folders.findIndex((folder) => {
      make(folder);
      return isOwn(folder);
    });
    if (first === -1) break;
    const own = folders.slice(first).filter((folder, at) => at === 0 || isOwn(folder));
    const held = takeAll(
      own.map((folder) => join(folder, name)),
      waitMs,
    );
    if (held === null)
      throw new Error(`${place} is being taken over by another Curfew, and that doesn't end. Try again.`);
    if (!folders.slice(0, first).some(isOwn)) return { release: () => releaseAll(held) };
    releaseAll(held);
  }
  throw new Error(
    `${folders[0]} belongs to another user, and so do the further names, so locks can't be taken over safely. Remove them.`,
  );
};
