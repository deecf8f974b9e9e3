import type { RunRecord } from './record.ts';
import { readRuns, RunFolder } from './run-folder.ts';

const dayMs = 86_400_000;

/** Removes the folders of runs that ended so many days ago. Returns how many. What can't be removed now is tried again the next time. */
export const pruneRuns = (runs: string, days: number, nowMs: number): number => {
  const old = (record: RunRecord): boolean =>
    record.end !== null && Date.parse(record.end.at) < nowMs - days * dayMs && record.end.survivors.length === 0;
  const gone = readRuns(runs).filter(old);
  for (const { id } of gone) new RunFolder(runs, id).remove();
  return gone.length;
};
