import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

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
