import { NoRegularFile } from '../../os/files/bounded-read.ts';
import { resultCode, resultCodeOf } from './sqlite.ts';

/** Why one of Curfew's files can't be used. */
export type StoreProblem =
  | 'newer-version'
  | 'foreign-file'
  | 'no-permission'
  | 'read-only'
  | 'disk-full'
  | 'busy'
  | 'damaged'
  | 'no-file'
  | 'disk-error'
  | 'unusable';

/**
 * The text for each problem: what happened, and what to do. `StoreFailure` puts the path in front.
 */
const explanations: Readonly<Record<StoreProblem, { readonly what: string; readonly remedy: string }>> = {
  'newer-version': {
    what: 'was written by a newer Curfew and is left as it is',
    remedy: 'Update this Curfew, or give it another folder with CURFEW_HOME.',
  },
  'foreign-file': {
    what: "is the database of another program and isn't touched",
    remedy: 'Move that file away, or give Curfew another folder with CURFEW_HOME.',
  },
  'no-permission': {
    what: "can't be opened for writing: permission denied",
    remedy: 'Make the folder and the file yours and writable for you.',
  },
  'read-only': {
    what: "can't be written: it is read-only",
    remedy: 'Make the file system writable, or give Curfew another folder with CURFEW_HOME.',
  },
  'disk-full': { what: "can't be written: no space is left on the disk or in your quota", remedy: 'Free some space.' },
  busy: {
    what: 'is locked by another process and did not become free in time',
    remedy: 'Try again; if it stays so, check which program has the file open.',
  },
  damaged: {
    what: 'is damaged and in use by another Curfew',
    remedy: 'End the other Curfew; the next one sets the file aside and starts a fresh one.',
  },
  'no-file': {
    what: 'is not a regular file (a link, a pipe, a socket or a folder) and stays as it is',
    remedy: 'Move that file away, or give Curfew another folder with CURFEW_HOME.',
  },
  'disk-error': {
    what: "can't be read or written: the disk or file system reports an error",
    remedy: 'Check the disk and the file system.',
  },
  unusable: { what: "can't be used", remedy: 'Look at the path, or give Curfew another folder with CURFEW_HOME.' },
};

const bySqlite: ReadonlyMap<number, StoreProblem> = new Map<number, StoreProblem>([
  [resultCode.noPermission, 'no-permission'],
  [resultCode.busy, 'busy'],
  [resultCode.locked, 'busy'],
  [resultCode.readOnly, 'read-only'],
  [resultCode.inputOutput, 'disk-error'],
  [resultCode.corrupt, 'damaged'],
  [resultCode.full, 'disk-full'],
  [resultCode.cannotOpen, 'unusable'],
  [resultCode.lockProtocol, 'busy'],
  [resultCode.notADatabase, 'damaged'],
]);

const bySystem: ReadonlyMap<string, StoreProblem> = new Map<string, StoreProblem>([
  ['EACCES', 'no-permission'],
  ['EPERM', 'no-permission'],
  ['EROFS', 'read-only'],
  ['ENOSPC', 'disk-full'],
  ['EDQUOT', 'disk-full'],
  ['EIO', 'disk-error'],
]);

/** Returns the problem of an error of SQLite or the file system; null for other errors. */
export const storeProblemOf = (error: unknown): StoreProblem | null => {
  if (error instanceof NoRegularFile) return 'no-file';
  const code = resultCodeOf(error);
  if (code !== null) return bySqlite.get(code) ?? 'unusable';
  if (error instanceof Error && 'code' in error && 'syscall' in error && typeof error.code === 'string') {
    return bySystem.get(error.code) ?? 'unusable';
  }
  return null;
};

/** Which problem which file has, and what that means for Curfew. */
export interface StoreFailureFacts {
  readonly problem: StoreProblem;
  readonly path: string;
  /** "The history" */
  readonly name: string;
  /** A sentence: "Automatic ending is off until it can be written." */
  readonly meaning: string;
}

/**
 * One of Curfew's files can't be used. The message is for people: what happened, what it means,
 * what to do.
 */
export class StoreFailure extends Error {
  override readonly name: string = 'StoreFailure';
  readonly problem: StoreProblem;
  readonly path: string;
  readonly meaning: string;
  readonly remedy: string;

  constructor(facts: StoreFailureFacts, options?: ErrorOptions) {
    const { what, remedy } = explanations[facts.problem];
    const { cause } = options ?? {};
    // "unusable" explains nothing, so the system's message is added.
    const detail = facts.problem === 'unusable' && cause instanceof Error ? ` (${cause.message})` : '';
    super(`${facts.name} (${facts.path}) ${what}${detail}. ${facts.meaning} ${remedy}`, options);
    this.problem = facts.problem;
    this.path = facts.path;
    this.meaning = facts.meaning;
    this.remedy = remedy;
  }
}

/**
 * The intent or result of a reaping can't be written: nothing is reaped automatically (safety
 * contract, 7).
 */
export class JournalUnwritable extends StoreFailure {
  override readonly name = 'JournalUnwritable';
}
