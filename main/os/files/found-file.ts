import { codeOf } from '../../../app/format/error-message.ts';
import { type BigIntStats, lstatSync, statfsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { FileType, FoundFile } from '../../../app/sweep/stale-file.ts';

/** TMPFS_MAGIC and RAMFS_MAGIC of statfs(2). */
const inMemoryTypes: ReadonlySet<number> = new Set([0x0102_1994, 0x8584_58f6]);

/** Returns whether a file lies on a file system that is kept in memory; false where unknown. */
export const isInMemory = (path: string): boolean => {
  try {
    return process.platform === 'linux' && inMemoryTypes.has(statfsSync(dirname(path)).type);
  } catch {
    // It is gone by now.
    return false;
  }
};

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

/** Returns the identity of the same file, unwritten and unmoved, whatever its links and ctime. */
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
    if (codeOf(error) === null) throw error;
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
