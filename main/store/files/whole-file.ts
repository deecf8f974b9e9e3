import { mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from '../database/set-aside.ts';

/**
 * Nobody else's: whoever meets a name that is taken is refused by `wx`, and two Curfews of a home in two containers may have one pid. Not from node:crypto,
 * which takes 3 MB of memory for as long as the supervisor runs; nothing is kept secret by it.
 */
const nameBeside = (path: string): string => `${path}.${process.pid}-${Math.random().toString(36).slice(2)}.tmp`;

const target = (path: string): string => {
  try {
    return realpathSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return path;
    throw error;
  }
};

/**
 * Writes a file whole or not at all: beside it, onto the disk, then in its place by renaming. Readable for the person alone (0600). A
 * link is followed, so that settings that are kept elsewhere (dotfiles) stay there.
 *
 * Not write-file-atomic (7.0.1): it takes the first write's count for the whole, so that on a disk that fills up in the middle a part of
 * the file takes the place of all of it. Node's own writes on until everything is written, or throws.
 * @throws the file system's error; then the file is as it was
 */
export const writeWholeFile = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const real = target(path);
  const beside = nameBeside(real);
  try {
    writeFileSync(beside, text, { flag: 'wx', mode: 0o600, flush: true });
    renameSync(beside, real);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
  syncFolder(dirname(real));
};
