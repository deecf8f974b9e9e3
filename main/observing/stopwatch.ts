import type { Look } from './look.ts';

/**
 * Returns a function that tells the milliseconds since, and the processor time of this process in
 * them.
 */
export const startStopwatch = (): (() => Pick<Look, 'tookMs' | 'cpuMs'>) => {
  const began = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return { tookMs: performance.now() - began, cpuMs: (user + system) / 1000 };
  };
};
