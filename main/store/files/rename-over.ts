import { renameSync } from 'node:fs';

/** What Windows says while another program has the file open, as a reader has for a moment. */
const isOpenElsewhere: ReadonlySet<unknown> = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** True if Windows refused to rename or remove a file because another program has it open. */
export const isHeldOpen = (error: unknown, platform: NodeJS.Platform = process.platform): boolean =>
  platform === 'win32' && error instanceof Error && 'code' in error && isOpenElsewhere.has(error.code);

/** Tries and the pause between two in ms: one second in all. */
const tries = 50;
const pauseMs = 20;

/**
 * Renames a file over another. On Windows that is refused while any program has the other open, so
 * it is tried again for a second.
 * @throws the file system's error
 */
export const renameOver = (
  from: string,
  to: string,
  platform: NodeJS.Platform = process.platform,
  rename: (from: string, to: string) => void = renameSync,
): void => {
  for (let left = tries; ; left -= 1) {
    try {
      rename(from, to);
      return;
    } catch (error) {
      if (left <= 0 || !isHeldOpen(error, platform)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
};
