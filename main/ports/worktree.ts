import { join } from 'node:path';
import type { FoundWorktree } from '../../app/documents/port.ts';
import { isInFolder } from '../../app/paths/path.ts';
import { filesHere } from '../os/files/small-file.ts';
import { realFolder, repositoryAt } from '../repositories/repository.ts';

/**
 * Returns the worktree of git that a folder is in, and the branch that it has checked out; null for
 * none. Starts no git, which could run programs that the repository names.
 */
export const worktreeOf = (folder: string, uid: number): FoundWorktree | null => {
  const real = realFolder(folder);
  const worktrees = repositoryAt(folder, uid)?.worktrees ?? [];
  const around = worktrees.flatMap((one) => {
    const at = one.folder === null ? null : realFolder(one.folder);
    return at !== null && real !== null && isInFolder(real, at) ? [{ ...one, at }] : [];
  });
  // One may lie in another: the innermost is that of the folder.
  const [own] = around.toSorted((one, other) => other.at.length - one.at.length);
  if (own === undefined) return null;
  const head = filesHere.text(join(own.gitFolder, 'HEAD'), uid);
  const branch = head.state === 'read' ? /^ref: refs\/heads\/(?<name>\S[^\n]*)$/mu.exec(head.value) : null;
  return { folder: own.at, branch: branch?.groups?.['name'] ?? null, linked: !own.isMain };
};
