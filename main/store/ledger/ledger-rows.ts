import type { LedgerEntry } from '../../../app/jobs/ledger/ledger.ts';
import type { AwakeStretch } from '../../../app/process/awake.ts';
import type { Witness } from '../../../app/jobs/lineage/witness.ts';
import type { BootId } from '../../../app/process/identity.ts';
import { numberCell, textCell } from '../database/cell.ts';
import { readAwake, writeAwake } from './ledger-awake.ts';
import { storedLedgerEntry } from './ledger-stored.ts';
import { readWitnesses, writeWitnesses, type WitnessChange } from './ledger-witnesses.ts';
import { inTransaction, type Connection } from '../database/sqlite.ts';

/**
 * Entries of another boot are kept this long: it may belong to a container that shares the home
 * folder and runs beside us.
 */
const otherBootsMs = 7 * 86_400_000;

export interface LedgerRows {
  readonly entries: readonly LedgerEntry[];
  /** What was drawn when this ledger was made, so that another one is known for another. */
  readonly identity: string;
  /** When the machine was awake in this boot, the oldest first. */
  readonly awake: readonly AwakeStretch[];
  /** Ids of invalid entries. */
  readonly bad: readonly string[];
  /** By id; null for an invalid one. */
  readonly witnesses: ReadonlyMap<string, Witness | null>;
}

/** A change of the ledger. Without a boot nothing is written. */
export interface LedgerChange {
  readonly boot: BootId | null;
  readonly written: readonly LedgerEntry[];
  /** Ids whose jobs have ended, or whose entries are invalid. */
  readonly gone: readonly string[];
  /** All stretches in which the machine was awake in this boot; empty: nothing new. */
  readonly awake: readonly AwakeStretch[];
  readonly witnesses: WitnessChange;
}

/**
 * Returns a number that changes whenever another connection has written.
 * https://www.sqlite.org/pragma.html#pragma_data_version
 */
export const dataVersion = (connection: Connection): number =>
  numberCell(connection.prepare('PRAGMA data_version').get()?.['data_version']);

export const readLedger = (connection: Connection, boot: BootId): LedgerRows => {
  const entries: LedgerEntry[] = [];
  const bad: string[] = [];
  for (const row of connection.prepare('SELECT id, body FROM entry WHERE boot = ?').all(boot)) {
    const id = textCell(row['id']);
    const entry = storedLedgerEntry(textCell(row['body']));
    if (entry !== null && entry.id === id && entry.bootId === boot) entries.push(entry);
    else bad.push(id);
  }
  const identity = textCell(connection.prepare('SELECT id FROM origin').get()?.['id']);
  return { entries, identity, awake: readAwake(connection, boot), bad, witnesses: readWitnesses(connection, boot) };
};

/** Of two processes that scan the same job, the later scan wins. */
const upsert = `
INSERT INTO entry (boot, id, seen_ticks, written_ms, body) VALUES (:boot, :id, :ticks, :now, :body)
ON CONFLICT (boot, id) DO UPDATE SET seen_ticks = excluded.seen_ticks, written_ms = excluded.written_ms, body = excluded.body
WHERE excluded.seen_ticks >= entry.seen_ticks`;

const writeEntries = (
  connection: Connection,
  boot: BootId,
  { written, gone }: Pick<LedgerChange, 'written' | 'gone'>,
  now: number,
): void => {
  const put = connection.prepare(upsert);
  for (const entry of written) {
    put.run({ boot, id: entry.id, ticks: entry.lastSeenTicks, now, body: JSON.stringify(entry) });
  }
  const remove = connection.prepare('DELETE FROM entry WHERE boot = ? AND id = ?');
  for (const id of gone) remove.run(boot, id);
  connection.prepare('DELETE FROM entry WHERE boot <> ? AND written_ms < ?').run(boot, now - otherBootsMs);
};

/** Writes a change in one transaction, and deletes what is out of date. */
export const writeLedger = (connection: Connection, change: LedgerChange, nowMs: number): void => {
  const now = Math.round(nowMs);
  inTransaction(connection, () => {
    if (change.boot !== null) {
      writeEntries(connection, change.boot, change, now);
      writeAwake(connection, change.boot, change.awake, now);
      writeWitnesses(connection, change.boot, change.witnesses, now);
    }
  });
};
