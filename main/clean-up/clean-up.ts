import type { Said } from '../../app/format/said.ts';
import type { Removal, Remover } from '../../app/history/removal.ts';
import { givesWay } from '../../app/worktrees/worktree.ts';
import { isInFolder } from '../../app/paths/path.ts';
import type { MarkerEnvironment } from '../../app/process/facts.ts';
import { inEnglish, saidOf, say } from '../../app/text/say.ts';
import { staleFilesSaid, sweepReasonSaid } from '../../app/text/sweep.ts';
import type { Engine } from '../engine/engine.ts';
import { realFolder } from '../repositories/repository.ts';
import { StoreFailure } from '../store/database/store-failure.ts';
import type { Look } from '../observing/look.ts';
import { findLocks, type JudgedLock, lockProblem, removeLocks } from '../sweep/locks.ts';
import { foldersOf } from '../sweep/pile-ups.ts';
import { carryOutSweep, type Found, planSweep, type SweepPlan, type SweepResult } from '../sweep/sweep.ts';
import { findWorktrees, type JudgedWorktree, removeWorktrees, worktreeProblem } from '../worktrees/worktrees.ts';

/** What agents left in files, locks and worktrees, with what may go. */
export interface CleanUp {
  readonly files: SweepPlan;
  readonly locks: readonly JudgedLock[];
  readonly worktrees: readonly JudgedWorktree[];
  /** Paths that the user named. */
  readonly picked: ReadonlySet<string>;
}

/**
 * Returns what is found with the history; nothing, and says why, where that can't be read: a full
 * disk is what a sweep is for.
 */
const withHistory = <Thing>(find: () => readonly Thing[], problems: Said[]): readonly Thing[] => {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error;
    problems.push(saidOf(error));
    return [];
  }
};

/**
 * Looks for all that agents left. Changes nothing.
 * @param paths only these, and what lies in these folders; a worktree among them counts as named by
 *   the user. null: everything known
 * @throws ProcessTableUnreadable
 */
export const planCleanUp = (
  engine: Engine,
  caller: MarkerEnvironment,
  paths: readonly string[] | null,
  look: Look = engine.observer.look(),
): CleanUp => {
  const swept = planSweep(engine, caller, look);
  const picked = new Set(paths);
  const problems: Said[] = [];
  const locks = withHistory(() => findLocks(engine, null, look), problems);
  const worktrees = withHistory(
    () =>
      paths === null
        ? findWorktrees(engine, null, picked, look)
        : paths
            .filter((path) => realFolder(path) !== null)
            .flatMap((path) => findWorktrees(engine, [path], picked, look, path)),
    problems,
  );
  const plan = { ...swept, passedOver: [...swept.passedOver, ...problems] };
  if (paths === null) return { files: plan, locks, worktrees, picked };
  const isMeant = (path: string): boolean => paths.some((one) => one === path || isInFolder(path, one));
  return {
    files: { ...plan, found: plan.found.filter(({ file }) => isMeant(file.path)) },
    locks: locks.filter(({ lock }) => isMeant(lock.path)),
    worktrees,
    picked,
  };
};

/** What of it is as it was shown, and what is not. */
export interface AsShown {
  readonly plan: CleanUp;
  /** Ids that nothing has by now. */
  readonly changed: readonly string[];
}

/**
 * Leaves of what was found that which the user was shown, by its ids. For a worktree that is the
 * word of the user: reasons that give way to it do, which are those that were shown.
 */
export const asShown = (plan: CleanUp, ids: readonly string[]): AsShown => {
  const asked = new Set(ids);
  const isAsked = ({ id }: { readonly id: string }): boolean => asked.has(id);
  const groups = foldersOf(plan.files.found).filter(isAsked);
  const locks = plan.locks.filter(isAsked);
  const worktrees = plan.worktrees.filter(isAsked);
  const found = new Set([...groups, ...locks, ...worktrees].map(({ id }) => id));
  return {
    plan: {
      files: { ...plan.files, found: groups.flatMap(({ files }) => files) },
      locks,
      worktrees: worktrees.map((one) => ({ ...one, keeps: one.keeps.filter((reason) => !givesWay(reason)) })),
      picked: new Set(worktrees.map(({ facts }) => facts.path)),
    },
    changed: [...asked].filter((id) => !found.has(id)),
  };
};

/** Returns the latest removals on record; none where it can't be read. */
export const latestRemovals = (engine: Engine, limit: number): readonly Removal[] =>
  withHistory(() => engine.history.removals({}, limit), []);

/** What of it may go. */
export interface Due {
  readonly files: readonly Found[];
  readonly locks: readonly JudgedLock[];
  readonly worktrees: readonly JudgedWorktree[];
  readonly bytes: number;
}

/** Returns what may go. */
export const dueOf = ({ files, locks, worktrees }: Omit<CleanUp, 'picked'>): Due => {
  const due = {
    files: files.found.filter(({ decision }) => decision.action === 'delete'),
    locks: locks.filter(({ verdict }) => verdict.state === 'stale'),
    worktrees: worktrees.filter(({ keeps }) => keeps.length === 0),
  };
  const sizes = [
    ...due.files.map(({ file }) => file.bytes),
    ...due.locks.map(({ lock }) => lock.bytes),
    ...due.worktrees.map(({ facts }) => facts.bytes),
  ];
  return { ...due, bytes: sizes.reduce((sum, bytes) => sum + bytes, 0) };
};

const problems = {
  changed: 'another file lies there by now',
  'in-use-again': 'it is in use by now',
} as const satisfies Readonly<Record<Exclude<SweepResult['kind'], 'deleted' | 'failed'>, string>>;

const fileProblem = (result: SweepResult): Said | null =>
  result.kind === 'deleted' ? null : result.kind === 'failed' ? result.why : say(problems[result.kind]);

/** Why each thing is still there that was to go, by its path; null: it is gone. */
export type Outcomes = ReadonlyMap<string, Said | null>;

const removedFiles = (engine: Engine, plan: SweepPlan, caller: MarkerEnvironment, by: Remover): Outcomes => {
  const done = carryOutSweep(engine, plan, caller);
  const deleted = done.filter(({ result }) => result.kind === 'deleted').map(({ found }) => found);
  engine.recordRemovals(
    foldersOf(deleted).map(({ path, first, files }) => ({
      atMs: Date.now(),
      kind: 'files',
      what: staleFilesSaid(first.decision.candidate.kind, files.length),
      path: files.length === 1 ? first.file.path : path,
      files: files.length,
      bytes: files.reduce((sum, { file }) => sum + file.bytes, 0),
      why: sweepReasonSaid(first.decision, plan.nowMs),
      by,
    })),
  );
  return new Map(
    done.map(({ found, result }) => {
      const why = fileProblem(result);
      const { path } = found.file;
      const fields = { path, kind: found.decision.candidate.kind, reason: found.decision.reason };
      if (why === null) engine.log.info('swept', fields);
      else engine.log.warn('not swept', { ...fields, problem: inEnglish(why) });
      return [path, why];
    }),
  );
};

/**
 * Removes what may go, each after a second look found the same of it, and records it.
 * @throws ProcessTableUnreadable, StoreFailure
 */
export const carryOutCleanUp = (
  engine: Engine,
  { files, picked, ...found }: CleanUp,
  caller: MarkerEnvironment,
  by: Remover,
): Outcomes => {
  const { locks, worktrees } = dueOf({ files, ...found });
  return new Map<string, Said | null>([
    ...removedFiles(engine, files, caller, by),
    ...(locks.length === 0 ? [] : removeLocks(engine, locks, by)).map(
      ({ lock, result }) => [lock.lock.path, lockProblem(result)] as const,
    ),
    ...removeWorktrees(engine, worktrees, picked, by).map((one) => [one.facts.path, worktreeProblem(one)] as const),
  ]);
};
