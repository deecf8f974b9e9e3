import { rmSync } from 'node:fs';
import type { DatabasePlace } from '../database/database-design.ts';
import { withDatabase } from '../database/lasting-database.ts';
import { fileAt, setAsideFiles } from '../database/set-aside.ts';
import { forgetEndTotals } from './journal-rows.ts';
import { inTransaction, resultCode, resultCodeOf, type Connection } from '../database/sqlite.ts';

/** Incidents of one transaction: a Curfew recording a reaping never waits long. */
const batchSize = 1_000;

const dayMs = 86_400_000;

/** Deletes some of the ended incidents that began before a moment; 0 when there are no more. */
const deleteBatch = (connection: Connection, beforeMs: number): number => {
  // What was deleted is overwritten, not only given free
  // (https://www.sqlite.org/pragma.html#pragma_secure_delete).
  connection.exec('PRAGMA secure_delete = ON');
  return inTransaction(connection, () =>
    Number(
      connection
        .prepare(
          `DELETE FROM incident WHERE (at_ms, id) IN
             (SELECT at_ms, id FROM incident INDEXED BY incident_facets
              WHERE at_ms < ? AND outcome IS NOT NULL ORDER BY at_ms LIMIT ${batchSize})`,
        )
        .run(beforeMs).changes,
    ),
  );
};

/** Deletes projects and hosts of no incident: they say where the user worked, too. */
const deleteUnusedNames = (connection: Connection): void => {
  connection.exec('PRAGMA secure_delete = ON');
  inTransaction(connection, () => {
    for (const kind of ['project', 'host']) {
      connection
        .prepare(
          `DELETE FROM name WHERE kind = ? AND number NOT IN
             (SELECT ${kind} FROM incident INDEXED BY incident_facets WHERE ${kind} IS NOT NULL)`,
        )
        .run(kind);
    }
  });
};

const deleteBefore = (place: DatabasePlace, beforeMs: number): number => {
  let deleted = 0;
  for (;;) {
    if (fileAt(place.path) === null) return deleted;
    const batch = withDatabase(place, (connection) => deleteBatch(connection, beforeMs));
    deleted += batch;
    if (batch < batchSize) break;
  }
  if (deleted > 0) withDatabase(place, deleteUnusedNames);
  withDatabase(place, (connection) => {
    connection.exec('PRAGMA secure_delete = ON');
    connection.prepare('DELETE FROM removal WHERE at_ms < ?').run(beforeMs);
  });
  return deleted;
};

/** Gives the space back and leaves nothing of the old content in the log. */
const shrink = (connection: Connection): void => {
  try {
    connection.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    // Another process is reading. The content is overwritten already; the space is used again for
    // what comes.
    if (resultCodeOf(error) !== resultCode.busy) throw error;
  }
};

/**
 * Deletes what is older than the user wants it kept. Reapings in progress stay.
 * @param historyDays days
 * @param nowMs wall clock, milliseconds
 * @returns how many incidents were deleted
 * @throws StoreFailure
 */
export const pruneHistory = (place: DatabasePlace, historyDays: number, nowMs: number): number =>
  deleteBefore(place, nowMs - historyDays * dayMs);

/**
 * Deletes incidents for good. Reapings in progress stay.
 * @param olderThanMs wall clock, milliseconds; null deletes all, databases that were once set aside
 *   included
 * @returns how many incidents were deleted
 * @throws StoreFailure
 */
export const wipeHistory = (place: DatabasePlace, olderThanMs: number | null): number => {
  const deleted = deleteBefore(place, olderThanMs ?? Number.MAX_SAFE_INTEGER);
  if (olderThanMs === null) {
    if (fileAt(place.path) !== null) {
      withDatabase(place, (connection) => forgetEndTotals(connection, place.now()));
      withDatabase(place, shrink);
    }
    for (const path of setAsideFiles(place.path)) {
      for (const companion of ['', '-wal', '-shm', '-journal']) rmSync(path + companion, { force: true });
    }
  }
  return deleted;
};
