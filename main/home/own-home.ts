import { lstatSync, statSync } from 'node:fs';

/**
 * Returns the folder that pam_systemd makes for a user, in which its service manager and bus
 * listen; null where there is none or it can't be looked at. To be asked by the user's own process:
 * the user may have mounted there what waits for ever.
 */
export const runtimeFolder = (uid: number): string | null => {
  const folder = `/run/user/${uid}`;
  try {
    const found = lstatSync(folder);
    return found.isDirectory() && found.uid === uid ? folder : null;
  } catch {
    // A mount may refuse with any error: then there is none for us.
    return null;
  }
};

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
