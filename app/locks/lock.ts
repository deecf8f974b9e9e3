import type { FoundFile } from '../sweep/stale-file.ts';

/**
 * What takes a lock. `git`: an operation of git (index.lock, a ref's). `gc`: git's clean-up, with
 * pid and host. `worktree`: git keeps a worktree until it is unlocked. `dev-server`: a server of
 * the project, with its pid.
 */
export const lockKinds = ['git', 'gc', 'worktree', 'dev-server'] as const;

export type LockKind = (typeof lockKinds)[number];

/** The holder, as the lock itself names it. */
export type NamedHolder =
  | { readonly named: 'process'; readonly pid: number; readonly host: string | null }
  /** A reason in words, or none: the user, or a program that names no process. */
  | { readonly named: 'words'; readonly words: string }
  | { readonly named: 'none' };

/** A lock file of a known form. */
export interface FoundLock extends Omit<FoundFile, 'name'> {
  readonly kind: LockKind;
  /** The worktree or project that it locks. */
  readonly folder: string;
  readonly holder: NamedHolder;
}

/**
 * The process with the number that a lock names. `other`: it started later and is another program.
 */
export type HolderState = 'dead' | 'alive' | 'other';

/** What one look at the machine says about a lock. Unknown always leaves it alone. */
export interface LockWorld {
  /** Wall clock, milliseconds. */
  readonly nowMs: number;
  readonly host: string;
  /** All processes are seen that can use this file: no other machine, container or hidden user. */
  readonly allSeen: boolean;
  /** It lies on a file system that only this machine writes to. */
  readonly localDisk: boolean;
  /** Processes that have the file open; null: unknown. */
  readonly openBy: readonly number[] | null;
  /** Processes that could be git and may be at work there, or are stopped in it; null: unknown. */
  readonly gits: readonly number[] | null;
  /** Processes that use the folder; null: unknown. */
  readonly users: readonly number[] | null;
  /** A session in that folder is open, or is not known to have ended. */
  readonly openSession: boolean;
  readonly stateOf: (pid: number) => HolderState;
  /** It was left by a tree that Curfew has ended: its age proves nothing more. */
  readonly leftByReaping: boolean;
}

/** Why a lock is what it is. */
export const lockReasons = [
  'holder-dead',
  'no-git',
  'open',
  'holder-alive',
  'git-at-work',
  'folder-in-use',
  'session-open',
  'by-hand',
  'young',
  'not-all-seen',
  'elsewhere',
  'another-user',
  'no-lock',
] as const;

export type LockReason = (typeof lockReasons)[number];

/** `stale`: its holder is proved dead. `held`: a holder was seen. `unknown`: neither. */
export const lockStates = ['stale', 'held', 'unknown'] as const;

export interface LockVerdict {
  readonly state: (typeof lockStates)[number];
  readonly reason: LockReason;
  /** The processes that hold it or may. */
  readonly pids: readonly number[];
}
