import { readFileSync } from 'node:fs';
import type { MemoryState } from '../../app/judge/scarce-memory.ts';

/** Returns the state from /proc/pressure/memory and /proc/meminfo; null: first is malformed. */
export const memoryStateIn = (pressure: string, meminfo: string): MemoryState | null => {
  const share = /^some avg10=([\d.]+) /mu.exec(pressure)?.[1];
  if (share === undefined) return null;
  const kilobytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'mu').exec(meminfo)?.[1] ?? 0);
  const total = kilobytes('SwapTotal');
  return {
    pressurePercent: Number(share),
    swapPercent: total === 0 ? 0 : ((total - kilobytes('SwapFree')) / total) * 100,
  };
};

/**
 * Reads how scarce the machine's memory is, in about 0.03 ms; null where the kernel doesn't measure
 * it: before 4.20, without CONFIG_PSI, and on other systems.
 */
export const readMemoryState = (): MemoryState | null => {
  if (process.platform !== 'linux') return null;
  try {
    return memoryStateIn(readFileSync('/proc/pressure/memory', 'utf8'), readFileSync('/proc/meminfo', 'utf8'));
  } catch {
    // Not measured here: then nothing is known, and nothing is hurried.
    return null;
  }
};
