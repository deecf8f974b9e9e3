import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { realPath } from '../os/files/other-machine.ts';
import { gitFolderAbove, type Worktree } from '../repositories/repository.ts';

/** Folders beside a worktree that are looked into; beside more nothing is known. */
const maxBeside = 5_000;

interface Claims {
  /** The real paths of the folders whose `.git` names an entry, by that entry. */
  readonly byEntry: ReadonlyMap<string, ReadonlySet<string>>;
  readonly isComplete: boolean;
}

const claimsOf = (folders: readonly string[], uid: number, above: number): Claims['byEntry'] => {
  const found = new Map<string, Set<string>>();
  for (const folder of folders) {
    const at = gitFolderAbove(folder, uid, above);
    if (at !== null) found.set(at.gitFolder, (found.get(at.gitFolder) ?? new Set()).add(at.folder));
  }
  return found;
};

const claimsBeside = (folder: string, uid: number): Claims => {
  try {
    const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const paths = entries.slice(0, maxBeside).map(({ name }) => join(folder, name));
    return { byEntry: claimsOf(paths, uid, 1), isComplete: entries.length <= maxBeside };
  } catch {
    // It is not the user's to read.
    return { byEntry: new Map(), isComplete: false };
  }
};

/**
 * Returns what tells whether a worktree may have a copy (`cp -r`), which uses the same entry of the
 * repository: beside it, or among folders in which agents worked. No other folder is searched.
 */
export const copiedAmong = (known: readonly string[], uid: number): ((worktree: Worktree) => boolean) => {
  const worked = claimsOf(known, uid, Number.POSITIVE_INFINITY);
  const beside = new Map<string, Claims>();
  return ({ gitFolder, folder }) => {
    const path = folder === null ? null : realPath(folder);
    if (path === null) return false;
    const around = dirname(path);
    const claims = beside.get(around) ?? claimsBeside(around, uid);
    beside.set(around, claims);
    const all = [worked, claims.byEntry].flatMap((one) => [...(one.get(realPath(gitFolder) ?? gitFolder) ?? [])]);
    return !claims.isComplete || all.some((one) => one !== path);
  };
};
