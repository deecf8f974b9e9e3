import { lstatSync, readlinkSync, statSync } from 'node:fs';
import { mayHoldFile } from './held-readers.ts';

/** Open files read of a process: one leaking tens of thousands would delay every scan. */
export const maxOpenFiles = 4_096;

const deletedSuffix = ' (deleted)';

/** The target of an open file, without the kernel's suffix for an unlinked one. */
export interface LinkTarget {
  readonly target: string;
  readonly deleted: boolean;
}

/**
 * Removes the kernel's suffix. A file whose own name ends that way counts as deleted too: telling
 * the two apart needs a stat, which can hang for ever on a lost network file system.
 */
export const linkTarget = (link: string): LinkTarget =>
  link.startsWith('/') && link.endsWith(deletedSuffix)
    ? { target: link.slice(0, -deletedSuffix.length), deleted: true }
    : { target: link, deleted: false };

export interface FileIdentity {
  readonly device: bigint;
  readonly inode: bigint;
}

const identityIn = (status: { readonly dev: bigint; readonly ino: bigint }): FileIdentity => ({
  device: status.dev,
  inode: status.ino,
});

/** Returns whether two identities are the same file. */
export const isSameFile = (one: FileIdentity, other: FileIdentity): boolean =>
  one.device === other.device && one.inode === other.inode;

/** Returns the file at a path, no links followed; null if there is none or it is unreadable. */
export const fileAtPath = (path: string): FileIdentity | null => {
  try {
    const status = lstatSync(path, { bigint: true });
    return status.isFile() ? identityIn(status) : null;
  } catch {
    // Gone or not visible: there is nothing to compare with.
    return null;
  }
};

/** The link of a descriptor has the rights with which it was opened: proc_pid_fd(5). */
const mayWrite = 0o200n;

/**
 * Returns the regular file that a process holds open for writing under that path: the open file
 * itself, wherever the path leads now (proc_pid_fd(5)). Without /proc, the file at the path. Null
 * if the process no longer holds it, only reads it, it was unlinked, or it can't be looked at.
 */
export const fileHeldOpen = (pid: number, fd: number, path: string): FileIdentity | null => {
  if (process.platform !== 'linux') return fileAtPath(path);
  const link = `/proc/${pid}/fd/${fd}`;
  try {
    if ((lstatSync(link, { bigint: true }).mode & mayWrite) === 0n || mayHoldFile(pid, fd)) return null;
    const status = statSync(link, { bigint: true });
    return status.isFile() && status.nlink > 0n && readlinkSync(link) === path ? identityIn(status) : null;
  } catch {
    // It has closed the file or ended since.
    return null;
  }
};
