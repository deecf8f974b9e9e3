import { vi } from 'vitest';
import { StageError } from './scene/stage-error.ts';

/**
 * Waits until a check stops throwing; gives up after a minute with a StageError that has its last
 * error.
 */
export const eventually = async (check: () => void): Promise<void> => {
  try {
    await vi.waitFor(check, { timeout: 60_000, interval: 5 });
  } catch (cause) {
    throw new StageError(`waited in vain: ${String(cause)}`, { cause });
  }
};
