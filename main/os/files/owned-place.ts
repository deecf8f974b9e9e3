import { statSync } from 'node:fs';
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

/**
 * Returns the folder to make temporary files in: that of the environment, unless it is another
 * user's, as under `sudo -E`. That user could put a link in the place of what is made there, and
 * root would write and remove behind it.
 */
export const temporaryFolder = (): string => {
  const folder = tmpdir();
  return placeOfAnother(folder) === null ? folder : '/tmp';
};
