import { SaidError, say } from '../../../app/text/say.ts';
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';

const partBytes = 64 * 1024;

/**
 * Returns what a descriptor gives until its end, or null when that is more than `maxBytes`: a
 * device that never ends, a file that grows while it is read.
 * @throws the file system's error
 */
export const readBounded = (descriptor: number, maxBytes: number): Buffer | null => {
  const parts: Buffer[] = [];
  let length = 0;
  for (;;) {
    const part = Buffer.allocUnsafe(Math.min(partBytes, maxBytes + 1 - length));
    const got = readSync(descriptor, part, 0, part.length, null);
    if (got === 0) return Buffer.concat(parts, length);
    parts.push(part.subarray(0, got));
    length += got;
    if (length > maxBytes) return null;
  }
};

/** What a file holds, or why it was not read. */
export type BoundedFile =
  | { readonly kind: 'read'; readonly bytes: Buffer; readonly mode: number; readonly uid: number }
  | { readonly kind: 'no-file' }
  | { readonly kind: 'too-large'; readonly bytes: number };

/**
 * Reads a regular file whole. Waits for nothing: a pipe under the name of a file has no other end.
 * @param flags more of open(2)'s, such as O_NOFOLLOW
 * @throws the file system's error
 */
export const readBoundedFile = (path: string, maxBytes: number, flags = 0): BoundedFile => {
  // Windows knows neither O_NONBLOCK nor O_NOFOLLOW: there they are undefined, so no bits.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | flags);
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) return { kind: 'no-file' };
    const { size, mode, uid } = status;
    const bytes = size > maxBytes ? null : readBounded(descriptor, maxBytes);
    return bytes === null ? { kind: 'too-large', bytes: size } : { kind: 'read', bytes, mode: mode & 0o7777, uid };
  } finally {
    closeSync(descriptor);
  }
};

/** Something else lies in the place of a file of Curfew's own. */
export class NoRegularFile extends SaidError {
  override readonly name = 'NoRegularFile';
  readonly path: string;

  constructor(path: string) {
    super(
      say('{path} is not a regular file (a link, a pipe, a socket or a folder), so nothing uses it: move it away', {
        path,
      }),
    );
    this.path = path;
  }
}

/**
 * Refuses what is there and is no regular file, links too: to write through one would change
 * another file.
 * @throws NoRegularFile
 */
export const refuseOtherThanFile = (path: string): void => {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new NoRegularFile(path);
};

/**
 * Opens a regular file of Curfew's own, through no link. Waits for nothing: a pipe that was put in
 * its place would keep it for ever.
 * @throws the file system's error, NoRegularFile
 */
export const openRegularFile = (path: string, flags: number, mode?: number): number => {
  refuseOtherThanFile(path);
  // Windows knows neither flag: there they are undefined, so no bits.
  const descriptor = openSync(path, flags | constants.O_NONBLOCK | constants.O_NOFOLLOW, mode);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new NoRegularFile(path);
};

/** Small files: settings, answers, locks, entries. Bytes. */
const maxTextBytes = 1024 * 1024;

/**
 * Returns the text of a small regular file.
 * @throws the file system's error; an error for what is no regular file, or too large
 */
export const readBoundedText = (path: string): string => {
  const file = readBoundedFile(path, maxTextBytes);
  if (file.kind === 'no-file') throw new SaidError(say('{path} is not a regular file', { path }));
  if (file.kind === 'too-large')
    throw new SaidError(say('{path} has more than {bytes} bytes', { path, bytes: maxTextBytes }));
  return file.bytes.toString('utf8');
};
