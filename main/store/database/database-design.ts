import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Form } from '../../../app/text/say.ts';
import { NoRegularFile } from '../../os/files/own-file.ts';
import type { Cell, Connection } from './sqlite.ts';
import { type Notify, StoreFailure, type StoreName, type StoreProblem, storeProblemOf } from './store-failure.ts';

export interface DatabaseDesign {
  /** For people, as a sentence begins: "The history". */
  readonly name: StoreName;
  /** What it means when it can't be used: a sentence. */
  readonly meaning: Form;
  /** In the file's header, so that another program's database is not taken for ours. */
  readonly applicationId: number;
  /** Bytes. */
  readonly pageSize: number;
  /** FULL: on disk before COMMIT returns. NORMAL: may be lost with the power, not the process. */
  readonly synchronous: 'FULL' | 'NORMAL';
  /** Statements that migrate the schema from version `index` to `index + 1`. Append-only. */
  readonly steps: readonly string[];
}

export interface DatabasePlace {
  readonly path: string;
  readonly design: DatabaseDesign;
  /** Wall clock in ms; names the files that are set aside. */
  readonly now: () => number;
  readonly notify: Notify;
}

/** Returns a database's lock file: shared while open, exclusive to create, change, set aside. */
export const lockPath = (path: string): string => `${path}.lock`;

/**
 * What is at a database's path: ours to use, ours but of an earlier Curfew, ours with triggers or
 * views that would run at each use, an empty file, or not ours to touch.
 */
export type DatabaseHeader = 'ready' | 'outdated' | 'altered' | 'empty' | 'newer-version' | 'foreign-file';

/** Checked by hand: the first schema that zod makes and uses would take 2 ms of every scan. */
const headerNumber = (row: Readonly<Record<string, Cell>> | undefined, name: string): number => {
  const cell = row?.[name];
  if (typeof cell !== 'number') throw new TypeError(`SQLite gave no number as ${name} of the header`);
  return cell;
};

/**
 * Reads a database's header, changing nothing.
 * @throws SQLite's error when the file is no database or a damaged one
 */
export const readHeader = (
  connection: Connection,
  design: DatabaseDesign,
): { readonly header: DatabaseHeader; readonly version: number } => {
  const row = connection
    .prepare(
      `SELECT (SELECT application_id FROM pragma_application_id) AS application,
              (SELECT user_version FROM pragma_user_version) AS version,
              (SELECT count(*) FROM sqlite_schema) AS objects,
              (SELECT count(*) FROM sqlite_schema WHERE type IN ('trigger', 'view')) AS additions`,
    )
    .get();
  const application = headerNumber(row, 'application');
  const version = headerNumber(row, 'version');
  if (application === 0 && version === 0 && headerNumber(row, 'objects') === 0) return { header: 'empty', version };
  if (application !== design.applicationId) return { header: 'foreign-file', version };
  if (version > design.steps.length) return { header: 'newer-version', version };
  if (headerNumber(row, 'additions') > 0) return { header: 'altered', version };
  return { header: version === design.steps.length ? 'ready' : 'outdated', version };
};

export const storeFailure = (place: DatabasePlace, problem: StoreProblem, cause?: unknown): StoreFailure =>
  new StoreFailure(
    {
      problem,
      path: cause instanceof NoRegularFile ? cause.path : place.path,
      name: place.design.name,
      meaning: place.design.meaning,
    },
    cause === undefined ? undefined : { cause },
  );

const nearestFolder = (path: string): string => {
  let folder = dirname(path);
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
};

/** Bytes of SQLite's index allocations (32 KiB); it says "disk I/O error" on a full disk. */
const neededToOpen = 65_536;

/**
 * Returns a more precise problem, from the folder: SQLite reports only "unable to open database
 * file" and "disk I/O error" for a file that can't be created or grow, and Node's recursive mkdir
 * reports ENOENT on a read-only file system (24.21).
 */
const refined = (problem: StoreProblem, path: string): StoreProblem => {
  const folder = nearestFolder(path);
  try {
    if (problem === 'disk-error') {
      const { bavail, bsize } = statfsSync(folder);
      return bavail * bsize < neededToOpen ? 'disk-full' : problem;
    }
    if (problem === 'unusable' && statSync(folder).isDirectory()) {
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    }
    return problem;
  } catch (error) {
    return storeProblemOf(error) ?? problem;
  }
};

/** Returns SQLite's and file system's errors as `StoreFailure`; others, being bugs, unchanged. */
export const asStoreFailure = (error: unknown, place: DatabasePlace): unknown => {
  if (error instanceof StoreFailure) return error;
  const problem = storeProblemOf(error);
  return problem === null ? error : storeFailure(place, refined(problem, place.path), error);
};
