import { realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  devServerLocks,
  holderOfGc,
  isLockName,
  isLockNameAtTop,
  lockFolders,
  mainWorktreesIn,
  pidInReason,
} from '../../app/locks/git-folder.ts';
import type { FoundLock, LockKind, NamedHolder } from '../../app/locks/lock.ts';
import { parseJson } from '../../app/format/json.ts';
import { once } from '../../app/format/once.ts';
import { filesHere } from '../os/files/small-file.ts';
import { leadsToOtherMachine } from '../os/files/other-machine.ts';
import { realFolder, type Repository, type Worktree } from '../repositories/repository.ts';
import { type SeenFile, seeFile } from '../os/files/found-file.ts';
import { z } from 'zod';

/** A lock with the file that it is, and the folders that its holder works in. */
export interface LockFile {
  readonly lock: FoundLock;
  readonly file: SeenFile;
  /**
   * The common folder and the worktrees of its repository; the project of a server. Null: not all
   * are known.
   */
  readonly roots: readonly string[] | null;
}

/** Names of refs that are read for locks, of one repository. */
const maxNames = 20_000;
/** Folders below one that are looked into: a name of a ref has a few. */
const maxDepth = 64;

interface Search {
  readonly uid: number;
  left: number;
}

const holderSchema = once(() => z.object({ pid: z.number().int().positive() }));
const unnamed: NamedHolder = { named: 'none' };

const holderOf = (kind: LockKind, path: string, uid: number): NamedHolder => {
  if (kind === 'git') return unnamed;
  const file = filesHere.text(path, uid);
  if (file.state !== 'read') return unnamed;
  const text = file.value;
  if (kind === 'worktree') {
    const pid = pidInReason(text);
    return pid === null ? { named: 'words', words: text.trim().slice(0, 200) } : { named: 'process', pid, host: null };
  }
  if (kind === 'gc') {
    const holder = holderOfGc(text);
    return holder === null ? unnamed : { named: 'process', ...holder };
  }
  const parsed = holderSchema().safeParse(parseJson(text));
  return parsed.success ? { named: 'process', pid: parsed.data.pid, host: null } : unnamed;
};

/** Of a folder that is a link, or lies behind one, the uses can't be told by its path. */
const isRealFolder = (path: string): boolean => {
  try {
    return realpathSync(path) === path;
  } catch {
    return false;
  }
};

const lockAt = (
  kind: LockKind,
  path: string,
  folder: string,
  roots: LockFile['roots'],
  uid: number,
): readonly LockFile[] => {
  const file = seeFile(path, path, uid);
  if (file === null || file.type === 'folder' || !isRealFolder(dirname(path))) return [];
  const { type, ownedByUser, names, bytes, changedMs } = file;
  const lock = { kind, path, folder, type, ownedByUser, names, bytes, changedMs, holder: holderOf(kind, path, uid) };
  return [{ lock, file, roots }];
};

/** Returns the names in a folder of git; none where it is a link or of another user. */
const namesIn = (folder: string, search: Search): readonly string[] => {
  const status = seeFile(folder, folder, search.uid);
  if (status?.type !== 'folder' || !status.ownedByUser || search.left <= 0) return [];
  const names = filesHere.names(folder, maxNames);
  if (names.state !== 'read') return [];
  search.left -= names.value.length;
  return names.value;
};

const lockPathsIn = (
  folder: string,
  below: number,
  search: Search,
  isLock: (name: string) => boolean,
): readonly string[] =>
  namesIn(folder, search).flatMap((name) => {
    const path = join(folder, name);
    if (isLock(name)) return [path];
    return below > 0 ? lockPathsIn(path, below - 1, search, isLock) : [];
  });

const kindOf = (path: string): LockKind => (path.endsWith('/gc.pid') ? 'gc' : 'git');

const ofWorktree = (
  { gitFolder, folder, isMain }: Worktree,
  roots: LockFile['roots'],
  search: Search,
): readonly LockFile[] => {
  const at = folder ?? gitFolder;
  if (leadsToOtherMachine(gitFolder)) return [];
  const all = isMain ? lockFolders : lockFolders.filter(({ path }) => path === '' || path === 'refs');
  const folders = all.filter(({ path }) => !leadsToOtherMachine(join(gitFolder, path)));
  return [
    ...folders.flatMap(({ path, deep }) =>
      lockPathsIn(
        join(gitFolder, path),
        deep ? maxDepth : 0,
        search,
        path === '' ? isLockNameAtTop : isLockName,
      ).flatMap((one) => lockAt(kindOf(one), one, at, roots, search.uid)),
    ),
    ...(isMain ? [] : lockAt('worktree', join(gitFolder, 'locked'), at, [at], search.uid)),
  ];
};

/**
 * Whether the main worktree may be another folder than is known. Of a submodule, or with
 * `--separate-git-dir`, nothing in the common folder leads to it but `core.worktree`, if that. A
 * bare repository has none, and no index.
 */
const hasMainElsewhere = ({ common, worktrees }: Repository, uid: number): boolean => {
  const main = worktrees.find(({ isMain }) => isMain)?.folder ?? null;
  if (main === null)
    return ['index', 'index.lock'].some((name) => filesHere.stamp(join(common, name)).state !== 'absent');
  return ['config', 'config.worktree'].some((name) => {
    const config = filesHere.text(join(common, name), uid);
    if (config.state !== 'read') return config.state !== 'absent';
    return mainWorktreesIn(config.value).some((path) => realFolder(resolve(common, path)) !== main);
  });
};

/** Returns the locks of a repository and its worktrees. Runs nothing, opens no other file. */
export const locksOf = (repository: Repository, uid: number): readonly LockFile[] => {
  const search: Search = { uid, left: maxNames };
  const roots = hasMainElsewhere(repository, uid)
    ? null
    : [repository.common, ...repository.worktrees.flatMap(({ folder }) => folder ?? [])];
  return repository.worktrees.flatMap((worktree) => ofWorktree(worktree, roots, search));
};

/** Returns the locks of development servers in a project. */
export const devLocksOf = (project: string, uid: number): readonly LockFile[] =>
  devServerLocks
    .map((path) => join(project, path))
    .filter((path) => !leadsToOtherMachine(path))
    .flatMap((path) => lockAt('dev-server', path, project, [project], uid));
