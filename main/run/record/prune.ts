import type { RunRecord } from './record.ts';
import { readRuns, RunFolder } from './run-folder.ts';

const dayMs = 86_400_000;

/**
 * Removes the folders of runs that ended more than `days` days ago and returns their number. What
 * can't be removed is tried again next time.
 */
export const pruneRuns = (runs: string, days: number, nowMs: number): number => {
  const old = (record: RunRecord): boolean =>
    record.end !== null && Date.parse(record.end.at) < nowMs - days * dayMs && record.end.survivors.length === 0;
  const gone = readRuns(runs).filter(old);
  for (const { id } of gone) new RunFolder(runs, id).remove();
  return gone.length;
};
