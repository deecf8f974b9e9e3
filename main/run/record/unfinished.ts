import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { asRunId, runIdPattern, type RunId } from '../../../app/process/run-id.ts';

/**
 * A folder with an empty file for each run that has not ended, named as the run: whoever starts looks into this one alone, however many runs of the last months lie
 * beside it. No id of a run looks like its name.
 */
export const unfinishedIn = (runs: string): string => join(runs, 'unfinished');

/** The ids that have a file or a folder there. Empty when it can't be read. */
export const runIdsIn = (folder: string): readonly RunId[] => {
  try {
    return readdirSync(folder)
      .filter((name) => runIdPattern.test(name))
      .map(asRunId);
  } catch {
    return [];
  }
};

/** The runs that have not ended as far as is noted: they go on, or their `curfew run` was killed. */
export const unfinishedRuns = (runs: string): readonly RunId[] => runIdsIn(unfinishedIn(runs));
