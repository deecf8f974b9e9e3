import { judgeLock } from '../../app/locks/judge-lock.ts';
import type { Job } from '../../app/model/job.ts';
import { baseName } from '../../app/paths/path.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import { startedAtMs } from '../../app/process/table.ts';
import { couldBeGit } from '../../app/process/uses.ts';
import type { Look } from '../observing/look.ts';
import { repositoriesOf } from '../repositories/repository.ts';
import { locksOf } from './find-locks.ts';
import { lockWorld, witnessOf } from './witness.ts';

const isGit = ({ comm, argv }: ProcessRow): boolean => couldBeGit({ names: [comm, baseName(argv[0] ?? '')] });

/** A lock is as old as a process of the tree, or younger; rounding. Milliseconds. */
const slackMs = 2_000;

/**
 * What the others use: an ended process that the look still saw alive, because it ended within the
 * look, can't be looked into any more, and would count as one that may hold any lock.
 */
const without = (dead: readonly ProcessRow[], look: Pick<Look, 'table' | 'sessions'>): typeof look => {
  const rows = new Map(look.table.rows);
  for (const { pid, startTicks } of dead) if (rows.get(pid)?.startTicks === startTicks) rows.delete(pid);
  return { sessions: look.sessions, table: { ...look.table, rows } };
};

/**
 * Returns the locks that an ended tree left: taken while its git lived, there after its end, and
 * held by nothing that lives. Empty where no git was in it.
 * @throws ProcessTableUnreadable
 */
export const locksLeftBy = (
  pidNamespace: string | null,
  job: Pick<Job, 'project' | 'facts'>,
  dead: readonly ProcessRow[],
  look: Pick<Look, 'table' | 'sessions'>,
): readonly string[] => {
  const gits = dead.filter(isGit);
  if (gits.length === 0) return [];
  const { table } = look;
  const sinceMs = Math.min(...gits.map(({ startTicks }) => startedAtMs(table, startTicks))) - slackMs;
  const folders = [job.project, ...[...job.facts.values()].map(({ cwd }) => cwd)].filter((path) => path !== null);
  const found = repositoriesOf(folders, table.uid)
    .flatMap((repository) => locksOf(repository, table.uid))
    .filter(({ lock }) => (lock.kind === 'git' || lock.kind === 'gc') && lock.changedMs >= sinceMs);
  if (found.length === 0) return [];
  const witness = witnessOf(without(dead, look), pidNamespace);
  return found
    .filter((one) => judgeLock(one.lock, lockWorld(one, witness, true)).state === 'stale')
    .map(({ lock }) => lock.path);
};
