import { closeSync, constants, fstatSync, lstatSync, openSync } from 'node:fs';
import { SaidError, say } from '../../../app/text/say.ts';
import { readBoundedFile } from './bounded-read.ts';

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
