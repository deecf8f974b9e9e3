import { lstatSync, readlinkSync, statSync, type BigIntStats } from 'node:fs';
import { tmpdir } from 'node:os';
import type { ProcessRow } from '../../../../app/process/row.ts';

const same = (left: BigIntStats, right: BigIntStats): boolean => left.dev === right.dev && left.ino === right.ino;

const statOf = (path: string): BigIntStats | null => {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return null;
  }
};

/** The bit of a link in /proc/PID/fd that stands for a file opened for writing. proc_pid_fd(5) */
const opensForWriting = 0o200n;

const holds = (row: ProcessRow, fd: number, path: string): boolean => {
  const link = `/proc/${row.pid}/fd/${fd}`;
  try {
    if (readlinkSync(link) !== path) return false;
    const named = lstatSync(path, { bigint: true });
    const isOwn = named.isFile() && row.uid !== null && named.uid === BigInt(row.uid);
    const mode = lstatSync(link, { bigint: true }).mode;
    return isOwn && (mode & opensForWriting) !== 0n && same(statSync(link, { bigint: true }), named);
  } catch {
    return false;
  }
};

/**
 * Returns whether a process has the file at this path open for writing as standard output or error,
 * by device and inode, and whether the path begins at one of the known bases. What can't be read is
 * no proof: false.
 * @param base the folder at which the path begins
 */
export const holdsOutput = (row: ProcessRow, path: string, base: string): boolean => {
  const found = statOf(base);
  if (found === null || !path.startsWith(`${base}/`)) return false;
  const isKnown = ['/tmp', tmpdir(), process.env['CLAUDE_CODE_TMPDIR']].some((one) => {
    const known = one === undefined || one === '' ? null : statOf(one);
    return known !== null && same(known, found);
  });
  return isKnown && [1, 2].some((fd) => holds(row, fd, path));
};
