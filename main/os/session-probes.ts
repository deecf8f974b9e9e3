import type { InputChannel, ProcessMemory } from '../../app/sessions-view/costs.ts';
import { inputChannels as channelsOnLinux } from './linux/probe/input-channels.ts';
import { processMemory as memoryOnLinux } from './linux/probe/process-memory.ts';

/**
 * Returns the memory of these processes as far as it can be read; nothing on systems but Linux.
 * @throws ProcessTableUnreadable
 */
export const processMemory = (pids: Iterable<number>): ReadonlyMap<number, ProcessMemory> =>
  process.platform === 'linux' ? memoryOnLinux(pids) : new Map();

/**
 * Returns the standard inputs that are private channels; nothing on systems but Linux.
 * @throws ProcessTableUnreadable
 */
export const inputChannels = (pids: Iterable<number>, agents: ReadonlySet<number>): ReadonlyMap<number, InputChannel> =>
  process.platform === 'linux' ? channelsOnLinux(pids, agents) : new Map();
