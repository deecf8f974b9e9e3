import type { BigIntStats } from 'node:fs';
import { lstatSync } from 'node:fs';
import { basename } from 'node:path';
import type { FileType, FoundFile } from '../../app/sweep/stale-file.ts';

/** A file as it was found, and by what it is told from another that comes into its place. */
export interface SeenFile extends FoundFile {
  readonly stamp: string;
}

const typeOf = (status: BigIntStats): FileType => {
  if (status.isFile()) return 'file';
  if (status.isSocket()) return 'socket';
  if (status.isDirectory()) return 'folder';
  return status.isSymbolicLink() ? 'link' : 'other';
};

/** The same file, unwritten and unmoved. Its count of names and the change that a renaming makes don't belong to it. */
const stampOf = ({ dev, ino, mode, uid, size, mtimeNs }: BigIntStats): string =>
  [dev, ino, mode, uid, size, mtimeNs].join(':');

/**
 * What lies at a place, links not followed; null for nothing, and for what may not be looked at.
 * @param place where it is looked at, good for this moment
 * @param path what it is called
 */
export const seeFile = (place: string, path: string, uid: number): SeenFile | null => {
  let status: BigIntStats;
  try {
    status = lstatSync(place, { bigint: true });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    return null;
  }
  return {
    path,
    name: basename(path),
    type: typeOf(status),
    ownedByUser: status.uid === BigInt(uid),
    names: Number(status.nlink),
    bytes: Number(status.size),
    changedMs: Number(status.mtimeMs),
    stamp: stampOf(status),
  };
};
