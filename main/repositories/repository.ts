import { statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { folderIn } from '../../app/locks/git-folder.ts';
import { filesHere } from '../os/files/small-file.ts';
import { leadsToOtherMachine, realPath } from '../os/files/other-machine.ts';

/** A repository of git, read without git: nothing of it is run. */
export interface Repository {
  /** Its common folder: `.git`, or the folder of a bare one. */
  readonly common: string;
  readonly worktrees: readonly Worktree[];
}

/** A folder in which it is checked out. */
export interface Worktree {
  /** Its own git folder; that of the main one is the common folder. */
  readonly gitFolder: string;
  /** Null: a bare repository has none. */
  readonly folder: string | null;
  readonly isMain: boolean;
}

/** Folders above one in which a repository is looked for. */
const maxAbove = 32;
/** Worktrees of one repository that are read; one with more is not: git may be at work in any. */
const maxWorktrees = 2_000;

/** Returns the real path of a folder; null: there is none, as of `realPath`. */
export const realFolder = (path: string): string | null => {
  const real = realPath(path);
  try {
    return real !== null && statSync(real).isDirectory() ? real : null;
  } catch {
    return null;
  }
};

const textOf = (path: string, uid: number): string | null => {
  const file = filesHere.text(path, uid);
  return file.state === 'read' ? file.value : null;
};

const isGitFolder = (path: string): boolean =>
  ['HEAD', 'objects', 'refs'].every((name) => realPath(join(path, name)) !== null);

/** What `.git` in a folder leads to: itself, or what it names where it is a file. */
const gitFolderOf = (folder: string, uid: number): string | null => {
  const entry = join(folder, '.git');
  const direct = realFolder(entry);
  if (direct !== null) return direct;
  const named = folderIn(textOf(entry, uid) ?? '');
  return named === null ? null : realFolder(resolve(folder, named));
};

const commonOf = (gitFolder: string, uid: number): string | null => {
  const named = textOf(join(gitFolder, 'commondir'), uid);
  if (named === null) return isGitFolder(gitFolder) ? gitFolder : null;
  const path = folderIn(named);
  return path === null ? null : realFolder(resolve(gitFolder, path));
};

const linkedWorktrees = (common: string, uid: number): readonly Worktree[] | null => {
  const folder = join(common, 'worktrees');
  const names = filesHere.names(folder, maxWorktrees);
  if (names.state !== 'read') return names.state === 'absent' ? [] : null;
  return names.value.flatMap((name): Worktree[] => {
    const gitFolder = join(folder, name);
    const entry = folderIn(textOf(join(gitFolder, 'gitdir'), uid) ?? '');
    if (entry === null) return [];
    // A path of its own may be relative since git 2.48 (worktree.useRelativePaths).
    return [{ gitFolder, folder: dirname(isAbsolute(entry) ? entry : resolve(gitFolder, entry)), isMain: false }];
  });
};

const read = (common: string, main: string | null, uid: number): Repository | null => {
  const linked = linkedWorktrees(common, uid);
  // What is at work in one that can't be looked at is not seen.
  if (linked === null || linked.some(({ folder }) => folder !== null && leadsToOtherMachine(folder))) return null;
  return { common, worktrees: [{ gitFolder: common, folder: main, isMain: true }, ...linked] };
};

/** A folder with the git folder that it leads to. */
interface GitFolder {
  /** Its real path. */
  readonly folder: string;
  readonly gitFolder: string;
  readonly common: string;
}

/**
 * Returns the nearest folder with a git folder, from one upwards; null: there is none, or it can't
 * be read.
 * @param most folders that are looked at
 */
export const gitFolderAbove = (folder: string, uid: number, most = maxAbove): GitFolder | null => {
  if (!isAbsolute(folder)) return null;
  let at = realFolder(folder);
  for (let above = 0; at !== null && above < Math.min(most, maxAbove); above += 1) {
    // As git does: what lies beside `.git` makes no bare repository.
    const gitFolder = gitFolderOf(at, uid) ?? (isGitFolder(at) ? at : null);
    const common = gitFolder === null ? null : commonOf(gitFolder, uid);
    if (gitFolder !== null && common !== null) return { folder: at, gitFolder, common };
    const parent = dirname(at);
    at = parent === at ? null : parent;
  }
  return null;
};

/**
 * Returns the repository that a folder lies in; null: in none, or in one that can't be read.
 * Follows what `.git` files name, as git does.
 */
export const repositoryAt = (folder: string, uid: number): Repository | null => {
  const found = gitFolderAbove(folder, uid);
  if (found === null) return null;
  const { folder: at, gitFolder, common } = found;
  // The main worktree is the folder around `.git`; one that lies elsewhere is not guessed.
  const main = common.endsWith('/.git') ? dirname(common) : common === gitFolder && at !== common ? at : null;
  return read(common, main, uid);
};

/** Returns the repositories of these folders, each once, in their order. */
export const repositoriesOf = (folders: Iterable<string>, uid: number): readonly Repository[] => {
  const found = new Map<string, Repository>();
  for (const folder of new Set(folders)) {
    const repository = repositoryAt(folder, uid);
    if (repository !== null && !found.has(repository.common)) found.set(repository.common, repository);
  }
  return [...found.values()];
};
