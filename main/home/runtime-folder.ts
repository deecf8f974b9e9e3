import { lstatSync } from 'node:fs';

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
