import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';

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
