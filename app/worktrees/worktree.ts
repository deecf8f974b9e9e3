import type { LockVerdict } from '../locks/lock.ts';

/** What git says of the files of a worktree. */
export interface WorktreeFiles {
  /** Changed or staged. */
  readonly changed: number;
  readonly untracked: number;
  /** Ignored, and not known to be made again by a build: the first of them. */
  readonly ignored: readonly string[];
  /** Tracked files whose changes git was told not to look for. */
  readonly hidden: number;
  readonly hasSubmodules: boolean;
}

/** What is known of a linked worktree at one look. `null` always means: not known. */
export interface WorktreeFacts {
  readonly path: string;
  /** The common folder of its repository. */
  readonly repository: string;
  /** What made it, by its place: the name of an agent or orchestrator. */
  readonly origin: string | null;
  /** The orchestrator that lists it as its own, or may. */
  readonly declaredBy: string | null;
  /** Null: a detached HEAD. */
  readonly branch: string | null;
  readonly head: string | null;
  readonly isMissing: boolean;
  /** When it was made, or git last worked in it: epoch milliseconds. */
  readonly usedMs: number;
  readonly bytes: number;
  /** Every file of it was counted, all on one file system. */
  readonly isCounted: boolean;
  /** Another repository or worktree lies in it. */
  readonly hasNested: boolean;
  readonly files: WorktreeFiles | null;
  /** A rebase, merge, bisect or the like is under way, or has left refs of its own. */
  readonly inOperation: boolean;
  /** Commits that no remote and no other branch has. */
  readonly unpushed: number | null;
  /** Commits that only its own log of HEAD names. */
  readonly onlyInLog: number | null;
  /** Entries of the stash that were made on its branch; they stay. */
  readonly stashes: number;
  /** The reason with which it is locked; null: it is not. */
  readonly locked: { readonly reason: string; readonly verdict: LockVerdict } | null;
  readonly users: readonly number[] | null;
  readonly allSeen: boolean;
  readonly localDisk: boolean;
  readonly openSession: boolean;
  /** An ended session could go on in it, or that is not known. */
  readonly mayBeResumed: boolean;
}

/** Why a worktree stays. */
export type KeepReason =
  | 'missing'
  | 'not-read'
  | 'not-made-by-agent'
  | 'young'
  | 'declared'
  | 'changed'
  | 'untracked'
  | 'ignored'
  | 'hidden'
  | 'submodules'
  | 'nested'
  | 'not-counted'
  | 'operation'
  | 'unpushed'
  | 'only-in-log'
  | 'locked'
  | 'in-use'
  | 'session-open'
  | 'resumable'
  | 'not-all-seen'
  | 'elsewhere';

/** Worktrees younger than this stay: an orchestrator makes one before it starts an agent in it. */
const minAgeMs = 3_600_000;

/** What gives way where the user names the worktree. */
const forUser: ReadonlySet<KeepReason> = new Set(['not-made-by-agent', 'young', 'resumable']);

/** Returns whether that reason gives way where the user names the worktree. */
export const givesWay = (reason: KeepReason): boolean => forUser.has(reason);

const reasonsOf = (facts: WorktreeFacts, nowMs: number): readonly KeepReason[] => {
  const { files, users, locked } = facts;
  const when = (isSo: boolean, reason: KeepReason): readonly KeepReason[] => (isSo ? [reason] : []);
  if (facts.isMissing) return ['missing'];
  return [
    ...when(users !== null && users.length > 0, 'in-use'),
    ...when(facts.openSession, 'session-open'),
    ...when(facts.declaredBy !== null, 'declared'),
    ...when(locked !== null && locked.verdict.state !== 'stale', 'locked'),
    ...when(files !== null && files.changed > 0, 'changed'),
    ...when(files !== null && files.untracked > 0, 'untracked'),
    ...when(facts.unpushed !== null && facts.unpushed > 0, 'unpushed'),
    ...when(facts.onlyInLog !== null && facts.onlyInLog > 0, 'only-in-log'),
    ...when(files !== null && files.ignored.length > 0, 'ignored'),
    ...when(files !== null && files.hidden > 0, 'hidden'),
    ...when(files?.hasSubmodules === true, 'submodules'),
    ...when(facts.inOperation, 'operation'),
    ...when(facts.hasNested, 'nested'),
    ...when(!facts.isCounted, 'not-counted'),
    ...when(files === null || facts.unpushed === null || facts.onlyInLog === null, 'not-read'),
    ...when(!facts.localDisk, 'elsewhere'),
    ...when(users === null || !facts.allSeen, 'not-all-seen'),
    ...when(facts.mayBeResumed, 'resumable'),
    // A moment in the future tells no age.
    ...when(nowMs - facts.usedMs < minAgeMs, 'young'),
    ...when(facts.origin === null, 'not-made-by-agent'),
  ];
};

/**
 * Returns why a worktree stays, the weightiest first; empty: git may remove it. Pure and total:
 * what is not known keeps it.
 * @param picked the user named this worktree
 */
export const keepReasons = (facts: WorktreeFacts, nowMs: number, picked: boolean): readonly KeepReason[] =>
  reasonsOf(facts, nowMs).filter((reason) => !picked || !givesWay(reason));
