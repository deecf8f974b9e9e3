import { readFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import { blockFor } from '../processes/block-for.ts';
import { pidsInGroup, tryWrite } from './control-group.ts';

/**
 * A group of 1,000 stood still after 4 ms (Linux 6.18). One with a process that waits in the kernel
 * does only once that returns, and the event loop waits meanwhile.
 */
const freezingMs = 50;

const isFrozen = (folder: string): boolean => /^frozen 1$/mu.test(readFileSync(join(folder, 'cgroup.events'), 'utf8'));

const standsStill = (folder: string): boolean => {
  const untilMs = performance.now() + freezingMs;
  while (!isFrozen(folder)) {
    if (performance.now() > untilMs) return false;
    blockFor(1);
  }
  return true;
};

/** Lets the processes of a group go on; false where the kernel refuses. */
export const thaw = (folder: string): boolean => tryWrite(join(folder, 'cgroup.freeze'), '0');

/**
 * Freezes a group of version 2, asks whether all that is inside may end, and kills it as one. What
 * stands still forks nothing between the question and the end. In every other case it is thawed.
 * Nothing that it may serve (a file system) must be asked for meanwhile. Never throws.
 * https://docs.kernel.org/admin-guide/cgroup-v2.html#core-interface-files
 * @param mayEnd asked with the pids inside, also of sub-groups; 0 is none of our pid namespace
 * @returns the pids that were killed; null: none
 */
export const killFrozen = (folder: string, mayEnd: (pids: readonly number[]) => boolean): readonly number[] | null => {
  try {
    // Another froze it: then it is that one's to go on.
    if (readFileSync(join(folder, 'cgroup.freeze'), 'utf8').trim() !== '0') return null;
    if (!tryWrite(join(folder, 'cgroup.freeze'), '1')) return null;
    try {
      if (!standsStill(folder)) return null;
      const pids = pidsInGroup(folder);
      if (!mayEnd(pids)) return null;
      // Only a program outside can have moved one in meanwhile.
      const now = new Set(pidsInGroup(folder));
      return now.size === pids.length && pids.every((pid) => now.has(pid)) && tryWrite(join(folder, 'cgroup.kill'), '1')
        ? pids
        : null;
    } finally {
      thaw(folder);
    }
  } catch {
    // It is gone, or none of version 2.
    return null;
  }
};
