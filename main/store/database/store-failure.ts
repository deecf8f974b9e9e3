import { byKey, type Said } from '../../../app/format/said.ts';
import { type Form, SaidError, joined, saidOf, say } from '../../../app/text/say.ts';
import { NoRegularFile } from '../../os/files/own-file.ts';
import { resultCode, resultCodeOf } from './sqlite.ts';

/** What users should know of Curfew's own files. Callers show it; none is swallowed. */
export type StoreNotice =
  | {
      readonly kind: 'set-aside';
      readonly name: StoreName;
      readonly path: string;
      readonly movedTo: string;
      readonly reason: string;
    }
  | { readonly kind: 'dropped'; readonly name: StoreName; readonly path: string; readonly rows: number }
  | { readonly kind: 'in-memory'; readonly name: StoreName; readonly path: string; readonly reason: Said }
  | { readonly kind: 'writable-again'; readonly name: StoreName; readonly path: string };

export type Notify = (notice: StoreNotice) => void;

const fileSaid = (name: StoreName, path: string): Said => say(`${name} ({path})`, { path });

/** Returns a notice as a sentence: what happened, what it means, what to do. */
export const sayStoreNotice = (notice: StoreNotice): Said => {
  const file = fileSaid(notice.name, notice.path);
  switch (notice.kind) {
    case 'set-aside':
      return say(
        '{file} was damaged ({reason}), so it was set aside and a fresh one was started. What was recorded before is in {movedTo}; "sqlite3 FILE .recover" may get it back.',
        { file, reason: notice.reason, movedTo: notice.movedTo },
      );
    case 'dropped':
      return notice.rows === 1
        ? say("{file} holds an entry that can't be read; Curfew goes on without.", { file })
        : say("{file} holds {rows} entries that can't be read; Curfew goes on without.", { file, rows: notice.rows });
    case 'in-memory':
      return say(
        "{file} can't be kept on disk: {reason} Curfew goes on with what it remembers; after a restart it will know less, and so end less.",
        { file, reason: notice.reason },
      );
    case 'writable-again':
      return say('{file} is kept on disk again.', { file });
  }
};

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

export type StoreName = 'The history' | 'The ledger' | "The supervisor's lock" | 'The list of what is spared';

/** The texts for each problem: what happened, and what to do. */
const explanations = {
  'newer-version': [
    '{file} was written by a newer Curfew and is left as it is.',
    'Update this Curfew, or give it another folder with CURFEW_HOME.',
  ],
  'foreign-file': [
    "{file} is the database of another program and isn't touched.",
    'Move that file away, or give Curfew another folder with CURFEW_HOME.',
  ],
  'no-permission': [
    "{file} can't be opened for writing: permission denied.",
    'Make the folder and the file yours and writable for you.',
  ],
  'read-only': [
    "{file} can't be written: it is read-only.",
    'Make the file system writable, or give Curfew another folder with CURFEW_HOME.',
  ],
  'disk-full': ["{file} can't be written: no space is left on the disk or in your quota.", 'Free some space.'],
  busy: [
    '{file} is locked by another process and did not become free in time.',
    'Try again; if it stays so, check which program has the file open.',
  ],
  damaged: [
    '{file} is damaged and in use by another Curfew.',
    'End the other Curfew; the next one sets the file aside and starts a fresh one.',
  ],
  'no-file': [
    '{file} is not a regular file (a link, a pipe, a socket or a folder) and stays as it is.',
    'Move that file away, or give Curfew another folder with CURFEW_HOME.',
  ],
  'disk-error': [
    "{file} can't be read or written: the disk or file system reports an error.",
    'Check the disk and the file system.',
  ],
  unusable: ["{file} can't be used.", 'Look at the path, or give Curfew another folder with CURFEW_HOME.'],
} as const satisfies Readonly<Record<StoreProblem, readonly [what: Form, remedy: Form]>>;

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

export interface StoreFailureFacts {
  readonly problem: StoreProblem;
  readonly path: string;
  readonly name: StoreName;
  /** A sentence: "Automatic ending is off until it can be written." */
  readonly meaning: Form;
}

/** A file of Curfew's can't be used. For people: what happened, what it means, what to do. */
export class StoreFailure extends SaidError {
  override readonly name: string = 'StoreFailure';
  readonly problem: StoreProblem;
  readonly path: string;
  readonly meaning: Form;

  constructor({ problem, path, name, meaning }: StoreFailureFacts, options?: ErrorOptions) {
    const [what, remedy] = explanations[problem];
    const { cause } = options ?? {};
    const file = fileSaid(name, path);
    // "unusable" explains nothing, so the system's message is added.
    const happened =
      problem === 'unusable' && cause instanceof Error
        ? say("{file} can't be used ({why}).", { file, why: saidOf(cause) })
        : say(what, { file });
    super(joined(happened, byKey(meaning), say(remedy)), options);
    this.problem = problem;
    this.path = path;
    this.meaning = meaning;
  }
}

/** A reaping's record can't be written: nothing is reaped automatically (contract 7). */
export class JournalUnwritable extends StoreFailure {
  override readonly name = 'JournalUnwritable';
}
