import { lstatSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';

/** A file or folder, and whose it is. */
export interface OwnedPlace {
  readonly path: string;
  /** The uid of its owner. */
  readonly owner: number;
}

/**
 * Returns a path, or the nearest folder above it that is there, if that belongs to another user;
 * null otherwise. What is root's is no other's. Windows knows no such owner.
 */
export const placeOfAnother = (path: string): OwnedPlace | null => {
  const self = process.geteuid?.();
  if (self === undefined) return null;
  for (let place = path; ; place = dirname(place)) {
    try {
      const owner = statSync(place).uid;
      return owner === self || owner === 0 ? null : { path: place, owner };
    } catch {
      if (dirname(place) === place) return null;
    }
  }
};

const isWayOfAnother = (folder: string, self: number): boolean => {
  const { uid } = lstatSync(folder);
  const above = dirname(folder);
  return (uid !== self && uid !== 0) || (above !== folder && isWayOfAnother(above, self));
};

/**
 * Returns whether another user's folder or link is on the way to a folder, or the folder can't be
 * asked: as under `sudo -E` that user can lead it to any folder of root's, also through an overlay
 * and `/proc/PID/root`.
 */
export const isLedByAnother = (folder: string): boolean => {
  const self = process.geteuid?.();
  if (self === undefined) return false;
  try {
    return [folder, realpathSync(folder)].some((way) => isWayOfAnother(way, self));
  } catch {
    return true;
  }
};

/**
 * Returns the folder to make temporary files in: that of the environment, unless another user
 * has a say in where it is: that user could put a link in the place of what is made there, and root
 * would write and remove behind it.
 */
export const temporaryFolder = (): string => {
  const folder = tmpdir();
  return isLedByAnother(folder) ? '/tmp' : folder;
};
