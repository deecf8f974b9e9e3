import type { DatabaseDesign, DatabasePlace } from '../database/database-design.ts';
import type { Notify } from '../database/store-notice.ts';

/**
 * `entry` is what was seen of jobs, each as JSON; `keep` is what the user asked for, set by any
 * process.
 */
const firstSchema = `
CREATE TABLE entry (
  boot TEXT NOT NULL,
  id TEXT NOT NULL,
  seen_ticks REAL NOT NULL,
  written_ms INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (boot, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE keep (id TEXT PRIMARY KEY, until_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

/** When a machine was awake in a boot, as observed: one row for each stretch between two sleeps. */
const awakeSchema = `
CREATE TABLE awake (
  boot TEXT NOT NULL,
  from_ticks REAL NOT NULL,
  to_ticks REAL NOT NULL,
  suspended_ticks REAL NOT NULL,
  written_ms INTEGER NOT NULL,
  PRIMARY KEY (boot, from_ticks)
) STRICT, WITHOUT ROWID;
`;

/**
 * Processes that are no jobs but are evidence about jobs: the user's own, and agents. Each as JSON.
 */
const witnessTable = `
CREATE TABLE witness (
  boot TEXT NOT NULL,
  id TEXT NOT NULL,
  written_ms INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (boot, id)
) STRICT, WITHOUT ROWID;
`;

/**
 * What the user keeps is in files of its own (`SparedFile`). They name the ledger that is in use,
 * so that one that was lost, emptied or replaced is noticed.
 */
const originTable = `
DROP TABLE IF EXISTS keep;
CREATE TABLE IF NOT EXISTS origin (id TEXT NOT NULL) STRICT;
DELETE FROM origin;
INSERT INTO origin (id) VALUES (lower(hex(randomblob(16))));
`;

const ledgerDesign: DatabaseDesign = {
  name: 'The ledger',
  meaning: 'What Curfew sees of jobs now it will not know after a restart, and so end less.',
  // "CFWl"
  applicationId: 0x43_46_57_6c,
  pageSize: 4096,
  // The ledger is about processes of this boot: a power failure ends them too.
  synchronous: 'NORMAL',
  steps: [firstSchema, awakeSchema, witnessTable, originTable],
};

/** Returns the ledger at a path. `now` is the wall clock, milliseconds. */
export const ledgerPlace = (path: string, now: () => number, notify: Notify): DatabasePlace => ({
  path,
  design: ledgerDesign,
  now,
  notify,
});
