import { lstatSync, readlinkSync, statSync } from 'node:fs';

/** Which file a path led to, so that another one in its place can be told apart. */
export interface FileIdentity {
  readonly device: bigint;
  readonly inode: bigint;
}

const identityIn = (status: { readonly dev: bigint; readonly ino: bigint }): FileIdentity => ({
  device: status.dev,
  inode: status.ino,
});

/** Whether two of them are the same file. */
export const isSameFile = (one: FileIdentity, other: FileIdentity): boolean =>
  one.device === other.device && one.inode === other.inode;

/** The file at a path, links not followed; null when there is none that can be looked at. */
export const fileAtPath = (path: string): FileIdentity | null => {
  try {
    const status = lstatSync(path, { bigint: true });
    return status.isFile() ? identityIn(status) : null;
  } catch {
    // Gone, or not to be seen: nothing to compare with either way.
    return null;
  }
};

/**
 * The regular file that a process holds open under that path: the open file itself, wherever the path leads by now (proc_pid_fd(5)).
 * Where the machine has no /proc, the file at the path. null when it holds it no more, or it was unlinked.
 */
export const fileHeldOpen = (pid: number, fd: number, path: string): FileIdentity | null => {
  if (process.platform !== 'linux') return fileAtPath(path);
  const link = `/proc/${pid}/fd/${fd}`;
  try {
    const status = statSync(link, { bigint: true });
    return status.isFile() && status.nlink > 0n && readlinkSync(link) === path ? identityIn(status) : null;
  } catch {
    // It has closed it or ended since.
    return null;
  }
};
