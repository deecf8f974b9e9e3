import { homedir } from 'node:os';
import type { Command } from 'commander';
import { unfinishedRuns } from '../../../run/record/unfinished.ts';
import { placesHere } from '../../../store/places.ts';

/**
 * Commands that clean up themselves; and `run` and `hook`, which agents call often and which must
 * be fast; and `metrics`, which a timer calls every minute and which only reads.
 */
const see = new Set(['run', 'runs', 'logs', 'terminate', 'watch', 'web', 'hook', 'mcp', 'metrics']);

/** Returns whether this command needs no cleanup of abandoned runs before it. */
export const cleansUpItself = (command: Command): boolean => {
  for (let one: Command | null = command; one !== null; one = one.parent) if (see.has(one.name())) return true;
  return false;
};

/**
 * Starts a process that ends abandoned runs. Reads one small folder if no run is unfinished. Never
 * throws: no command may fail for it.
 */
export const cleanUpAbandonedRuns = async (): Promise<void> => {
  try {
    const places = placesHere(homedir());
    if (unfinishedRuns(places.runs).length === 0) return;
    const { spawnAbandonedCleanup } = await import('../../../run/abandoned/spawn-abandoned-cleanup.ts');
    spawnAbandonedCleanup(places);
  } catch (error) {
    if (process.env['CURFEW_DEBUG'] !== undefined) process.emitWarning(error instanceof Error ? error : String(error));
  }
};
