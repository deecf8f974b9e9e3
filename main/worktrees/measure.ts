import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { mountPoints } from '../os/files/mount-points.ts';

/** What lies in a folder. */
export interface Measured {
  readonly bytes: number;
  /**
   * False: it has more files than are counted, some can't be read or named, something is mounted in
   * it, git does not tell of all, or can't remove all.
   */
  readonly isCounted: boolean;
  /** A repository lies below its own `.git`. */
  readonly hasNested: boolean;
}

/** At most this many names of one folder are counted: about 3 s. */
const maxEntries = 500_000;

/** Of git, Mercurial, Jujutsu, Subversion, Sapling, Breezy, Darcs, Pijul and Fossil. */
const isOfRepository = /^(?:\.git|\.hg|\.jj|\.svn|\.sl|\.bzr|_darcs|\.pijul|\.fslckout)$/u;

/** Git removes what it can, also where it can't remove all. */
const canBeEmptied = ({ uid, mode }: Stats, user: number): boolean =>
  (user === 0 || uid === user) && (mode & 0o300) === 0o300;

/** Measures a folder of a user. Opens no file and follows no link. */
export const measure = (folder: string, user: number): Measured => {
  const mounts = mountPoints();
  let [bytes, left, hasNested] = [0, maxEntries, false];
  let isCounted = mounts !== null && ![...mounts].some((point) => point === folder || point.startsWith(`${folder}/`));
  const pending = [folder];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    try {
      if (!canBeEmptied(lstatSync(at), user)) isCounted = false;
      for (const name of readdirSync(at)) {
        left -= 1;
        const path = join(at, name);
        const status = lstatSync(path, { throwIfNoEntry: false });
        // A name that is no UTF-8 can't be asked about, and git's answers can't be told of it.
        if (name.includes('\uFFFD')) isCounted = false;
        // What went meanwhile is not counted.
        if (status === undefined) continue;
        if (status.isDirectory()) pending.push(path);
        else bytes += status.size;
        // Git tells of no socket, pipe or device.
        if (!status.isDirectory() && !status.isFile() && !status.isSymbolicLink()) isCounted = false;
        // A bare repository has no `.git`.
        if (at !== folder && (isOfRepository.test(name) || (name === 'HEAD' && isRepository(at)))) hasNested = true;
      }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      if (error.code !== 'ENOENT') isCounted = false;
    }
    if (left <= 0) return { bytes, isCounted: false, hasNested };
  }
  return { bytes, isCounted, hasNested };
};

const isRepository = (folder: string): boolean => {
  const names = readdirSync(folder);
  return names.includes('objects') && names.includes('refs');
};
