import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { FoundWorktree } from '../../app/documents/port.ts';
import { readBoundedText } from '../os/files/bounded-read.ts';
import { leadsToOtherMachine } from '../os/files/other-machine.ts';

/** Above so many folders no worktree is looked for. */
const maxFolders = 64;

/** A file that may not be there; null: it is not, or can't be read. */
const textOf = (path: string): string | null => {
  if (leadsToOtherMachine(path)) return null;
  try {
    return readBoundedText(path);
  } catch {
    return null;
  }
};

const branchIn = (head: string | null): string | null =>
  /^ref: refs\/heads\/(?<branch>\S[^\n]*)$/mu.exec(head ?? '')?.groups?.['branch'] ?? null;

/**
 * Returns the worktree of git that a folder is in, and the branch that it has checked out; null for
 * none. Reads `.git` and HEAD (gitrepository-layout(5)) and starts no git, which could run programs
 * that the repository names.
 */
export const worktreeOf = (folder: string): FoundWorktree | null => {
  if (!isAbsolute(folder)) return null;
  let at = folder;
  for (let up = 0; up < maxFolders; up += 1, at = dirname(at)) {
    const head = textOf(join(at, '.git/HEAD'));
    if (head !== null) return { folder: at, branch: branchIn(head), linked: false };
    const link = /^gitdir: (?<path>.+)$/mu.exec(textOf(join(at, '.git')) ?? '')?.groups?.['path'];
    if (link !== undefined) {
      const own = resolve(at, link.trim());
      // A submodule has its own folder below `modules`; it is no worktree of its own.
      return { folder: at, branch: branchIn(textOf(join(own, 'HEAD'))), linked: own.includes('/worktrees/') };
    }
    if (dirname(at) === at) break;
  }
  return null;
};
