import { homedir } from 'node:os';
import type { Command } from 'commander';
import { unfinishedRuns } from '../../../run/record/unfinished.ts';
import { placesFor } from '../../../store/places.ts';

/** Commands that see to it themselves; and `run` and `hook`, which agents call all the time and which have no time to lose. */
const see = new Set(['run', 'runs', 'logs', 'terminate', 'watch', 'web', 'hook']);

/** True for a command before which nobody needs to look for runs whose `curfew run` was killed. */
export const cleansUpItself = (command: Command): boolean => {
  for (let one: Command | null = command; one !== null; one = one.parent) if (see.has(one.name())) return true;
  return false;
};

/** Has abandoned runs ended by another process. Costs one look into a small folder while no run is unfinished. Never throws: no command fails for it. */
export const cleanUpAbandonedRuns = async (): Promise<void> => {
  try {
    const { runs } = placesFor({
      platform: process.platform,
      environment: process.env,
      home: homedir(),
      workingFolder: process.cwd(),
    });
    if (unfinishedRuns(runs).length === 0) return;
    const { spawnAbandonedCleanup } = await import('../../../run/abandoned/spawn-abandoned-cleanup.ts');
    spawnAbandonedCleanup(runs);
  } catch (error) {
    if (process.env['CURFEW_DEBUG'] !== undefined) process.emitWarning(error instanceof Error ? error : String(error));
  }
};
