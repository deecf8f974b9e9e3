import type { BigIntStats } from 'node:fs';
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, writeSync } from 'node:fs';
import { type FileIdentity, isSameFile } from '../os/files/held-file.ts';

/** The identity of a file that a job held open. */
export interface OutputFile {
  readonly path: string;
  readonly file: FileIdentity;
}

const ownerWrites = 0o200n;

/**
 * Returns why the file at the path is not written to; null if it is the one that the job held, of
 * this user, with one name.
 */
const objection = (status: BigIntStats, { path, file }: OutputFile, uid: number): string | null => {
  if (!status.isFile()) return `${path} is no regular file any more`;
  if (!isSameFile(file, { device: status.dev, inode: status.ino })) return `${path} is another file by now`;
  if (status.uid !== BigInt(uid)) return `${path} belongs to another user`;
  // A second name may belong to a file that is no output.
  if (status.nlink !== 1n) return `${path} has ${status.nlink} names`;
  return (status.mode & ownerWrites) === 0n ? `${path} may not be written` : null;
};

const reasonOf = (path: string, error: unknown): string | null => {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOENT' || code === 'ENOTDIR') return `${path} is gone`;
  if (code === 'ELOOP') return `${path} is a link by now`;
  return code === null || !(error instanceof Error) ? null : `${path}: ${error.message}`;
};

/** Appends on a line of its own, in one write. */
const append = (fd: number, bytes: number, text: string): string | null => {
  const last = Buffer.alloc(1);
  const read = bytes === 0 ? 0 : readSync(fd, last, 0, 1, bytes - 1);
  const line = Buffer.from(read === 1 && last.toString('latin1') !== '\n' ? `\n${text}` : text);
  return writeSync(fd, line) === line.length ? null : 'only a part of the line could be written';
};

/**
 * Appends a text to the file that a job held open, on a line of its own. The file is checked before
 * it is opened, so that opening has no effect on a pipe or device, and again through its
 * descriptor: a file swapped in between is not written. Creates nothing, follows no link, never
 * blocks.
 * @returns null, or why it was not added, in words
 */
export const appendToOutput = (output: OutputFile, uid: number, text: string): string | null => {
  const { path } = output;
  const { O_APPEND, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY, O_RDWR } = constants;
  let fd: number | null = null;
  try {
    const before = objection(lstatSync(path, { bigint: true }), output, uid);
    if (before !== null) return before;
    fd = openSync(path, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    const status = fstatSync(fd, { bigint: true });
    return objection(status, output, uid) ?? append(fd, Number(status.size), text);
  } catch (error) {
    const reason = reasonOf(path, error);
    if (reason === null) throw error;
    return reason;
  } finally {
    if (fd !== null) closeSync(fd);
  }
};
