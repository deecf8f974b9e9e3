import { statfsSync } from 'node:fs';
import type { ProcessRow } from '../../app/process/row.ts';
import type { AllUses } from '../../app/process/uses.ts';
import { processUses as onLinux } from './linux/probe/process-uses.ts';

/**
 * Returns what all living processes use of the file systems; null: unknown, as on every system but
 * Linux.
 * @param mostMountBytes for tests
 * @throws ProcessTableUnreadable
 */
export const processUses = (rows: Iterable<ProcessRow>, mostMountBytes?: number): AllUses | null =>
  process.platform === 'linux' ? onLinux(rows, mostMountBytes) : null;

/**
 * File systems that only this machine writes to, by their magic numbers (statfs(2)): ext2 to ext4,
 * XFS, Btrfs, tmpfs, ramfs, ZFS, F2FS, overlayfs, bcachefs.
 */
const localTypes: ReadonlySet<number> = new Set([
  0xef53, 0x5846_5342, 0x9123_683e, 0x0102_1994, 0x8584_58f6, 0x2fc1_2fc1, 0xf2f5_2010, 0x794c_7630, 0xca45_1a4e,
]);

/** Returns whether only this machine writes to the file system of a path; false where unknown. */
export const isOnLocalDisk = (path: string): boolean => {
  try {
    return process.platform === 'linux' && localTypes.has(statfsSync(path).type);
  } catch {
    return false;
  }
};

/** Returns whether a path may be on a server, of which other machines have it too (Linux). */
export const mayBeOnServer = (path: string): boolean => process.platform === 'linux' && !isOnLocalDisk(path);
