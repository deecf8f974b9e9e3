import { lstatSync, readlinkSync, statSync, type BigIntStats } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
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

const isOf = ({ uid }: BigIntStats, row: ProcessRow): boolean => row.uid !== null && uid === BigInt(row.uid);

const isWritten = (link: string): boolean => (lstatSync(link, { bigint: true }).mode & opensForWriting) !== 0n;

const holds = (row: ProcessRow, fd: number, path: string): boolean => {
  const link = `/proc/${row.pid}/fd/${fd}`;
  try {
    if (readlinkSync(link) !== path) return false;
    const named = lstatSync(path, { bigint: true });
    return named.isFile() && isOf(named, row) && isWritten(link) && same(statSync(link, { bigint: true }), named);
  } catch {
    return false;
  }
};

/**
 * The same of a file that was removed since (Claude Code removes that of a command in the
 * foreground). No path leads to it any more, so what holds it has inherited it. The kernel says
 * which entry of which folder it was, the device that it is that very folder.
 */
const holdsRemoved = (row: ProcessRow, fd: number, path: string): boolean => {
  const link = `/proc/${row.pid}/fd/${fd}`;
  try {
    if (readlinkSync(link) !== `${path} (deleted)`) return false;
    const folder = lstatSync(dirname(path), { bigint: true });
    const file = statSync(link, { bigint: true });
    const isRemoved = file.isFile() && file.nlink === 0n && file.dev === folder.dev;
    return isRemoved && folder.isDirectory() && isOf(folder, row) && isOf(file, row) && isWritten(link);
  } catch {
    return false;
  }
};

/**
 * Returns whether a process has the file at this path open for writing as standard output or error,
 * by device and inode, and whether the path begins at one of the known bases. What can't be read is
 * no proof: false.
 * @param base the folder at which the path begins
 * @param orRemoved counts the file that was at this path and has been removed, too
 */
export const holdsOutput = (row: ProcessRow, path: string, base: string, orRemoved: boolean): boolean => {
  const found = statOf(base);
  if (found === null || !path.startsWith(`${base}/`)) return false;
  const isKnown = ['/tmp', tmpdir(), process.env['CLAUDE_CODE_TMPDIR']].some((one) => {
    const known = one === undefined || one === '' ? null : statOf(one);
    return known !== null && same(known, found);
  });
  return isKnown && [1, 2].some((fd) => holds(row, fd, path) || (orRemoved && holdsRemoved(row, fd, path)));
};
