import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Connection } from './sqlite.ts';
import { StoreFailure, storeProblemOf, type StoreProblem } from './store-failure.ts';
import type { Notify } from './store-notice.ts';

/** What a database of Curfew's is. */
export interface DatabaseDesign {
  /** For people, as a sentence begins: "The history". */
  readonly name: string;
  /** What it means when it can't be used: a sentence. */
  readonly meaning: string;
  /** In the file's header, so that no other program's database is taken for ours. */
  readonly applicationId: number;
  /** Bytes. */
  readonly pageSize: number;
  /** FULL: a transaction is on the disk before COMMIT returns. NORMAL: it survives the process, not always the power. */
  readonly synchronous: 'FULL' | 'NORMAL';
  /** Statements that bring the schema from version `index` to `index + 1`. Only ever appended to. */
  readonly steps: readonly string[];
}

/** Where a database is, and whom to tell about it. */
export interface DatabasePlace {
  readonly path: string;
  readonly design: DatabaseDesign;
  /** Wall clock, milliseconds; for the names of files that are set aside. */
  readonly now: () => number;
  readonly notify: Notify;
}

/** The kernel's lock beside a database: shared while it is open, exclusive while it is created, changed or set aside. */
export const lockPath = (path: string): string => `${path}.lock`;

/** What stands at a database's path: ours to use, ours but of an earlier Curfew, nothing at all in it, or not ours to touch. */
export type DatabaseHeader = 'ready' | 'outdated' | 'empty' | 'newer-version' | 'foreign-file';

const headerRow = z.object({ application: z.number(), version: z.number(), objects: z.number() });

/**
 * Reads what stands in a database's header, changing nothing.
 * @throws SQLite's error when the file is none of its databases or a damaged one
 */
export const readHeader = (
  connection: Connection,
  design: DatabaseDesign,
): { readonly header: DatabaseHeader; readonly version: number } => {
  const row = headerRow.parse(
    connection
      .prepare(
        `SELECT (SELECT application_id FROM pragma_application_id) AS application,
                (SELECT user_version FROM pragma_user_version) AS version,
                (SELECT count(*) FROM sqlite_schema) AS objects`,
      )
      .get(),
  );
  const { version } = row;
  if (row.application === 0 && version === 0 && row.objects === 0) return { header: 'empty', version };
  if (row.application !== design.applicationId) return { header: 'foreign-file', version };
  if (version > design.steps.length) return { header: 'newer-version', version };
  return { header: version === design.steps.length ? 'ready' : 'outdated', version };
};

/** The failure of a database as a person should read it. */
export const storeFailure = (place: DatabasePlace, problem: StoreProblem, cause?: unknown): StoreFailure =>
  new StoreFailure(
    { problem, path: place.path, name: place.design.name, meaning: place.design.meaning },
    cause === undefined ? undefined : { cause },
  );

const nearestFolder = (path: string): string => {
  let folder = dirname(path);
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
};

/** SQLite takes memory for its index in pieces of 32 KiB, and says "disk I/O error" when the disk has none left. Bytes. */
const neededToOpen = 65_536;

/**
 * Says more precisely what the matter is: SQLite has only "unable to open database file" and "disk I/O error" for a file that can't be
 * made or grow, and Node's recursive mkdir says ENOENT on a read-only file system (24.21). The folder tells.
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

/** An error of SQLite or the file system as a `StoreFailure`; any other error, which is a fault of ours, as it is. */
export const asStoreFailure = (error: unknown, place: DatabasePlace): unknown => {
  if (error instanceof StoreFailure) return error;
  const problem = storeProblemOf(error);
  return problem === null ? error : storeFailure(place, refined(problem, place.path), error);
};
