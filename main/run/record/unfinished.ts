import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { asRunId, runIdPattern, type RunId } from '../../../app/process/identity.ts';

/**
 * Returns the folder with an empty file for each unfinished run. A start reads only this folder,
 * however many finished runs there are. Run ids never equal its name.
 */
export const unfinishedIn = (runs: string): string => join(runs, 'unfinished');

/** Returns the ids that name a file or folder there; none if it can't be read. */
export const runIdsIn = (folder: string): readonly RunId[] => {
  try {
    return readdirSync(folder)
      .filter((name) => runIdPattern.test(name))
      .map(asRunId);
  } catch {
    return [];
  }
};

/** Returns the runs recorded as unfinished: running or abandoned. */
export const unfinishedRuns = (runs: string): readonly RunId[] => runIdsIn(unfinishedIn(runs));
