import type { StaleCandidate } from '../../app/sweep/stale-file.ts';
import type { IdentityReader } from '../os/processes/signaller.ts';
import { deadHolderOf } from '../run/record/lock.ts';
import type { RunRecord } from '../run/record/record.ts';
import { RunFolder } from '../run/record/run-folder.ts';
import { runIdsIn } from '../run/record/unfinished.ts';
import { type SeenFile, seeFile } from './found-file.ts';

/** A lock file left by a run of this Curfew. */
export interface RunLockFile {
  readonly candidate: StaleCandidate;
  readonly file: SeenFile;
  readonly run: RunRecord['id'];
}

/**
 * Returns lock files of `curfew run --lock` whose holder is dead: they contain its pid, start time,
 * boot and machine. Found through the records of ended runs; unfinished ones are ended with their
 * locks by the next start. Skips what can't be read.
 */
export const staleRunLocks = (runs: string, reader: IdentityReader, uid: number): readonly RunLockFile[] =>
  runIdsIn(runs).flatMap((id): RunLockFile[] => {
    const record = new RunFolder(runs, id).read();
    if (record?.lock == null || record.end === null) return [];
    try {
      if (deadHolderOf(record.lock, id, reader) === null) return [];
      const file = seeFile(record.lock, record.lock, uid);
      if (file === null) return [];
      return [
        {
          run: id,
          file,
          candidate: { kind: 'lock-file', file, owner: { kind: 'holder', state: 'dead' }, mayDelete: true },
        },
      ];
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return [];
    }
  });
