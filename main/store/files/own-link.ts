import { lstatSync, readlinkSync, statSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';

/** As many links as Linux follows in one path (path_resolution(7)). */
const maxLinks = 40;

/**
 * Returns whether a path leads through a link of another user, or by a link to a place of another
 * user: either could lead the next write elsewhere. Root's links and places are no others'. What is
 * not there yet belongs to no other user. Windows knows no such owner.
 * @throws the file system's error
 */
export const leadsToAnotherUser = (path: string): boolean => {
  const self = process.geteuid?.();
  if (self === undefined) return false;
  const isForeign = (owner: number): boolean => owner !== self && owner !== 0;
  let rest = resolve(path).split(sep).filter(Boolean);
  let at: string = sep;
  let links = 0;
  while (rest.length > 0) {
    const [name = '', ...further] = rest;
    const next = resolve(at, name);
    const there = lstatSync(next, { throwIfNoEntry: false });
    if (there === undefined) break;
    if (there.isSymbolicLink()) {
      links += 1;
      if (isForeign(there.uid)) return true;
      if (links > maxLinks) throw new Error(`${path} is a circle of links`);
      rest = [...resolve(at, readlinkSync(next)).split(sep).filter(Boolean), ...further];
      at = sep;
    } else {
      rest = further;
      at = next;
    }
  }
  if (links === 0) return false;
  const [end, folder] = [at, rest.length > 0 ? at : dirname(at)].map((one) => lstatSync(one));
  return isForeign(end?.uid ?? self) || isForeign(folder?.uid ?? self);
};

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
