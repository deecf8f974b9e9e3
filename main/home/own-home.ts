import { statSync } from 'node:fs';

/** Bits of a mode that let other users put files into a folder. */
const writableByOthers = 0o022;

/**
 * Returns whether a home folder is there and only its user can put files into it, as sshd asks
 * before it believes a file in it (StrictModes of sshd_config(5)). In any other one the settings
 * may be another user's.
 */
export const hasOwnHome = (home: string, uid: number): boolean => {
  try {
    const found = statSync(home);
    return found.isDirectory() && found.uid === uid && (found.mode & writableByOthers) === 0;
  } catch {
    // Missing, or behind a folder that this user may not enter.
    return false;
  }
};
