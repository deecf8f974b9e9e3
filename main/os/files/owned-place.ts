import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve, sep } from 'node:path';

/** A file, folder or link, and whose it is. */
export interface OwnedPlace {
  readonly path: string;
  /** The uid of its owner. */
  readonly owner: number;
}

/** As many links as Linux follows in one path (path_resolution(7)). */
const maxLinks = 40;

/** What a user namespace shows of owners that it has no number for: `/` of many a container. */
const unmapped = 65_534;

const isAnother = (owner: number, self: number): boolean => owner !== self && owner !== 0;

/**
 * Yields the folders and links on the way to a path, and its end, as far as they are there. Links
 * are followed.
 * @throws the file system's error
 */
export function* wayTo(path: string): Generator<OwnedPlace & { readonly isLink: boolean }> {
  let rest = resolve(path).split(sep).filter(Boolean);
  let at: string = sep;
  yield { path: at, owner: lstatSync(at).uid, isLink: false };
  for (let links = 0; rest.length > 0;) {
    const [name = '', ...further] = rest;
    const next = resolve(at, name);
    const there = lstatSync(next, { throwIfNoEntry: false });
    if (there === undefined) return;
    const isLink = there.isSymbolicLink();
    yield { path: next, owner: there.uid, isLink };
    if (!isLink) {
      rest = further;
      at = next;
      continue;
    }
    links += 1;
    if (links > maxLinks) throw new Error(`${path} is a circle of links`);
    rest = [...resolve(at, readlinkSync(next)).split(sep).filter(Boolean), ...further];
    at = sep;
    yield { path: at, owner: lstatSync(at).uid, isLink: false };
  }
}

/**
 * Returns another user's link on the way to a path, or the path, or the nearest folder above it
 * that is there, if that belongs to another user; null otherwise. For root each folder on the way
 * counts: its owner can put another in the place of what lies in it, as under `sudo -E` with a
 * `CURFEW_HOME` of the user's. What is root's is no other's. Windows knows no such owner.
 */
export const placeOfAnother = (path: string): OwnedPlace | null => {
  const self = process.geteuid?.();
  if (self === undefined) return null;
  let last: OwnedPlace | null = null;
  try {
    for (const place of wayTo(path)) {
      last = place;
      const leads = place.isLink || (self === 0 && place.owner !== unmapped);
      if (leads && isAnother(place.owner, self)) return place;
    }
  } catch {
    // What can't be looked at is as what is not there: the last place that could be tells.
  }
  return last !== null && isAnother(last.owner, self) ? last : null;
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
    return !existsSync(folder) || [...wayTo(folder)].some(({ owner }) => isAnother(owner, self));
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
