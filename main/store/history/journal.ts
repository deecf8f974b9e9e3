import { foldIncident } from '../../../app/history/fold.ts';
import type { Incident, IncidentEvent, Intent } from '../../../app/history/incident.ts';
import { recordableEvent, recordableIntent, type Redact } from '../../../app/history/redaction.ts';
import { storedEvent, storedIntent } from '../../../app/history/stored.ts';
import type { DatabasePlace } from '../database/database-design.ts';
import { openIntents, putEvent, putIntent, putProbe } from './journal-rows.ts';
import { LastingDatabase } from '../database/lasting-database.ts';
import { inTransaction, type Connection } from '../database/sqlite.ts';
import { JournalUnwritable, StoreFailure } from '../database/store-failure.ts';

/** Runs inside the write lock with all open intents; throws to reject the new one. */
export type Admission = (open: readonly Intent[]) => void;

/** Told of an ending on disk: the whole incident where it was begun here, else its id. */
export type Recorded = (incident: Incident | string) => void;

type JournalRecord =
  | { readonly kind: 'intent'; readonly id: string; readonly intent: Intent; readonly admit?: Admission }
  | { readonly kind: 'event'; readonly id: string; readonly event: IncidentEvent };

/** Milliseconds after a record until closing, so that others can set a damaged file aside. */
const idleMs = 1_000;

/** Results that could not be written and are kept for later; the newest stay. */
const maxOwed = 10_000;

/**
 * Writes the record before anything is done and while it is done. Every call returns when what it
 * wrote is on the disk, or throws: then nothing may be signalled.
 *
 * Stays true to its word when the file is damaged, replaced or removed while reapings are in
 * progress: their records are kept in memory until they end and are written again into the fresh
 * file.
 */
export class HistoryJournal {
  readonly #place: DatabasePlace;
  readonly #redact: Redact;
  readonly #inProgress = new Map<string, JournalRecord[]>();
  /** Results of incidents whose intent is on disk that could not be written when they came. */
  #owed: readonly JournalRecord[] = [];
  #collecting: JournalRecord[] | null = null;
  readonly #database: LastingDatabase;
  #idle: NodeJS.Timeout | null = null;
  readonly #recorded: Recorded;

  /**
   * @param redact is applied to every text before it is written
   * @param recorded is told of every ending that is on disk; must not throw
   */
  constructor(place: DatabasePlace, redact: Redact, recorded: Recorded = () => undefined) {
    this.#recorded = recorded;
    this.#place = place;
    this.#database = new LastingDatabase(place);
    this.#redact = redact;
  }

  /**
   * Puts an intent on disk. Its id must be new.
   * @throws JournalUnwritable, and whatever `admit` throws; then nothing is written
   */
  begin(intent: Intent, admit?: Admission): void {
    // As it will be read: what can't be read back is no record.
    const readable = storedIntent(JSON.stringify(recordableIntent(intent, this.#redact)));
    if (readable === null) throw new TypeError(`The intent to end job ${intent.job} could not be read back.`);
    this.#record({ kind: 'intent', id: readable.id, intent: readable, ...(admit === undefined ? {} : { admit }) });
  }

  /**
   * Puts what happened on disk.
   * @throws JournalUnwritable; the event is written with the next one that can be
   */
  append(incidentId: string, event: IncidentEvent): void {
    const readable = storedEvent(JSON.stringify(recordableEvent(event, this.#redact)));
    if (readable === null) throw new TypeError(`The event "${event.kind}" of ${incidentId} could not be read back.`);
    this.#record({ kind: 'event', id: incidentId, event: readable });
  }

  /**
   * Several records in one durable write: all that `write` begins and appends is on disk when this
   * returns, or it throws.
   * @throws JournalUnwritable, and whatever `write` throws; then nothing of it is written
   */
  together(write: () => void): void {
    if (this.#collecting !== null) {
      write();
      return;
    }
    const collected: JournalRecord[] = [];
    this.#collecting = collected;
    try {
      write();
    } finally {
      this.#collecting = null;
    }
    if (collected.length > 0) this.#commit(collected);
  }

  /**
   * Tries a durable write, and what is still owed with it.
   * @returns null when an incident can be recorded, else why not
   */
  problem(): JournalUnwritable | null {
    try {
      this.#commit([]);
      return null;
    } catch (error) {
      if (error instanceof JournalUnwritable) return error;
      throw error;
    }
  }

  /** Closes the file. It opens again by itself when there is something to write. */
  close(): void {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
    this.#database.close();
  }

  #record(record: JournalRecord): void {
    if (this.#collecting === null) this.#commit([record]);
    else this.#collecting.push(record);
  }

  #commit(records: readonly JournalRecord[]): void {
    const due = [...this.#owed, ...records];
    try {
      this.#database.use(({ connection }) => this.#transaction(connection, due));
    } catch (error) {
      this.#owe(records);
      if (!(error instanceof StoreFailure)) throw error;
      const { problem, path, meaning, cause } = error;
      throw new JournalUnwritable({ problem, path, name: this.#place.design.name, meaning }, { cause });
    }
    this.#owed = [];
    for (const record of due) this.#remember(record);
    this.#closeWhenIdle();
  }

  #transaction(connection: Connection, records: readonly JournalRecord[]): void {
    inTransaction(connection, () => {
      if (records.length === 0) putProbe(connection, this.#place.now());
      // Read once: no other process can write before this is over, and ours are added as they come.
      // Reading them for each of 500 jobs took 13 s.
      let open: Intent[] | null = null;
      for (const record of records) {
        if (record.kind === 'intent') {
          if (record.admit !== undefined)
            record.admit((open ??= [...openIntents(connection, (id) => this.#ownIntent(id))]));
          putIntent(connection, record.intent);
          open?.push(record.intent);
        } else if (!putEvent(connection, record.id, record.event)) {
          this.#restore(connection, record.id);
          putEvent(connection, record.id, record.event);
        }
      }
    });
  }

  /** What was written here of an incident in progress; null where another process began it. */
  #ownIntent(id: string): Intent | null {
    const [first] = this.#inProgress.get(id) ?? [];
    return first?.kind === 'intent' ? first.intent : null;
  }

  /** Rewrites an incident that was removed, or whose file was set aside as damaged. */
  #restore(connection: Connection, id: string): void {
    const records = this.#inProgress.get(id);
    if (records === undefined) throw new Error(`There is no incident ${id} in ${this.#place.path}.`);
    for (const record of records) {
      if (record.kind === 'intent') putIntent(connection, record.intent);
      else putEvent(connection, id, record.event);
    }
  }

  #remember(record: JournalRecord): void {
    if (record.kind === 'intent') this.#inProgress.set(record.id, [record]);
    else if (record.event.kind === 'ended') {
      const [first, ...rest] = this.#inProgress.get(record.id) ?? [];
      this.#inProgress.delete(record.id);
      const events = rest.flatMap((one) => (one.kind === 'event' ? [one.event] : []));
      this.#recorded(first?.kind === 'intent' ? foldIncident(first.intent, [...events, record.event]) : record.id);
    } else this.#inProgress.get(record.id)?.push(record);
  }

  #owe(records: readonly JournalRecord[]): void {
    const begun = records.filter((record) => record.kind === 'event' && this.#inProgress.has(record.id));
    this.#owed = [...this.#owed, ...begun].slice(-maxOwed);
  }

  #closeWhenIdle(): void {
    if (this.#idle === null) {
      this.#idle = setTimeout(() => this.close(), idleMs);
      this.#idle.unref();
    } else {
      this.#idle.refresh();
    }
  }
}
