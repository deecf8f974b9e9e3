import { type BigIntStats, lstatSync } from 'node:fs';
import { basename } from 'node:path';
import type { FileType, FoundFile } from '../../app/sweep/stale-file.ts';

/** A file with the identity that distinguishes it from a replacement. */
export interface SeenFile extends FoundFile {
  readonly stamp: string;
}

const typeOf = (status: BigIntStats): FileType => {
  if (status.isFile()) return 'file';
  if (status.isSocket()) return 'socket';
  if (status.isDirectory()) return 'folder';
  return status.isSymbolicLink() ? 'link' : 'other';
};

/**
 * Returns the identity of the same file, unwritten and unmoved. Its link count and ctime are left
 * out.
 */
const stampOf = ({ dev, ino, mode, uid, size, mtimeNs }: BigIntStats): string =>
  [dev, ino, mode, uid, size, mtimeNs].join(':');

/**
 * Returns the file at a place without following links; null for none or one that may not be read.
 * @param place where it is read, valid at this moment
 * @param path its name for people
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
