import type { ProcessMemory } from '../../app/sessions-view/costs.ts';
import { processMemory as memoryOnLinux } from './linux/probe/process-memory.ts';

/**
 * Returns the memory of these processes as far as it can be read; nothing on systems but Linux.
 * @throws ProcessTableUnreadable
 */
export const processMemory = (pids: Iterable<number>): ReadonlyMap<number, ProcessMemory> =>
  process.platform === 'linux' ? memoryOnLinux(pids) : new Map();
