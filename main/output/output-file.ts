import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, statfsSync } from 'node:fs';
import { redactOutput } from '../../app/format/secrets/redact-output.ts';
import { leadsToOtherMachine } from '../os/files/other-machine.ts';
import { refusesLinks } from '../os/this-system.ts';

const tailBytes = 4096;
const tailLines = 20;

interface OpenOutput {
  readonly fd: number;
  readonly bytes: number;
  /** Its last write: wall clock, milliseconds. */
  readonly changedAtMs: number;
}

const openOutput = (path: string, uid: number): OpenOutput | null => {
  if (leadsToOtherMachine(path)) return null;
  let fd: number;
  try {
    if (!refusesLinks && lstatSync(path).isSymbolicLink()) return null;
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    // Unlinked, unreadable or a link: there is no output.
    return null;
  }
  const status = fstatSync(fd);
  // A second name may be that of a file which the process that made it here may not read.
  if (status.isFile() && status.uid === uid && status.nlink === 1)
    return { fd, bytes: status.size, changedAtMs: status.mtimeMs };
  closeSync(fd);
  return null;
};

/**
 * Reads from an output file of a job: a regular file of this user with one name, no link, never
 * blocking (as a FIFO in its place would). Null for anything else; the path comes from a process
 * and is not trusted.
 */
export const withOutput = <Value>(path: string, uid: number, read: (file: OpenOutput) => Value): Value | null => {
  const file = openOutput(path, uid);
  if (file === null) return null;
  try {
    return read(file);
  } finally {
    closeSync(file.fd);
  }
};

/** Returns the size of a job's output file in bytes; null if it is missing or not trusted. */
export const outputBytes = (path: string, uid: number): number | null => withOutput(path, uid, ({ bytes }) => bytes);

/** Returns the bytes free for this user on a file's file system, or null if unknown. */
export const freeBytes = (path: string): number | null => {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    // It was removed, or its file system does not report it.
    return null;
  }
};

/** Returns the number a small file starts with, such as a lock's process id, or null. */
export const numberIn = (path: string, uid: number): number | null =>
  withOutput(path, uid, ({ fd }) => {
    const head = Buffer.alloc(32);
    const text = head.toString('latin1', 0, readSync(fd, head, 0, head.length, 0));
    const number = /^\s*(\d{1,7})\s/u.exec(`${text}\n`)?.[1];
    return number === undefined ? null : Number(number);
  });

/** Returns a file's last bytes as text, from a line's start; null if not this user's file. */
export const fileTail = (path: string, uid: number, maxBytes: number): string | null =>
  withOutput(path, uid, ({ fd, bytes }) => {
    const buffer = Buffer.alloc(Math.min(maxBytes, bytes));
    const read = readSync(fd, buffer, 0, buffer.length, Math.max(0, bytes - buffer.length));
    const text = buffer.toString('utf8', 0, read);
    if (bytes <= maxBytes) return text;
    const cut = text.indexOf('\n');
    return cut === -1 ? '' : text.slice(cut + 1);
  });

/** Returns the last lines of a text, at most 20 and about 4 kB, secrets redacted, or null. */
export const lastLines = (text: string): string | null => {
  const end = text.slice(-tailBytes);
  // A cut line may be the second half of a secret.
  const cut = end.indexOf('\n');
  const whole = end.length === text.length ? end : cut === -1 ? '' : end.slice(cut + 1);
  const last = redactOutput(whole.trimEnd()).split('\n').slice(-tailLines).join('\n');
  return last === '' ? null : last;
};

/** Returns the last lines of a job's output, at most 20 and 4 kB, secrets redacted, or null. */
export const outputTail = (path: string, uid: number): string | null => {
  const tail = fileTail(path, uid, tailBytes);
  return tail === null ? null : lastLines(tail);
};
