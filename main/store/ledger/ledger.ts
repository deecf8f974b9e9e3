import { sameValue } from '../../../app/contract/difference/same-value.ts';
import type { Activity, ImageMark, LedgerEntry } from '../../../app/jobs/ledger/ledger.ts';
import type { Witness } from '../../../app/jobs/lineage/witness.ts';
import type { JobId } from '../../../app/model/job.ts';
import type { AwakeStretch } from '../../../app/process/awake.ts';
import { type BootId, asBootId } from '../../../app/process/identity.ts';
import type { GivenNotice, LedgerMemory } from '../../observing/observer-tools.ts';
import type { DatabaseDesign, DatabasePlace } from '../database/database-design.ts';
import { type DatabaseUse, LastingDatabase } from '../database/lasting-database.ts';
import { birthOf } from '../database/set-aside.ts';
import type { Notify } from '../database/store-failure.ts';
import { SparedFile } from '../spared/spared-file.ts';
import { RememberedAwake } from './ledger-awake.ts';
import { type LedgerChange, dataVersion, readLedger, writeLedger } from './ledger-rows.ts';
import { RememberedWitnesses } from './ledger-witnesses.ts';

export interface Remembered {
  readonly entry: LedgerEntry;
  /** Null: nothing is known to be on disk. */
  readonly onDisk: LedgerEntry | null;
}

/**
 * Interval in ms at which mere measurements are written. A restarted Curfew that finds older ones
 * takes a job for more busy than it is, never for more silent: they are running totals, and equal
 * totals prove silence whenever they were taken.
 */
const measurementsEveryMs = 60_000;

/**
 * Returns an entry with every `CURFEW_KEEP=1` that either scan saw: the mark once seen counts for
 * ever, and the scan that saw it need not be the latest.
 */
const withEveryMark = (entry: LedgerEntry, one: LedgerEntry, other: LedgerEntry): LedgerEntry => {
  if (one.keep === undefined || other.keep === undefined || sameValue(one.keep, other.keep)) {
    const keep = entry.keep ?? one.keep ?? other.keep;
    return keep === undefined || keep === entry.keep ? entry : { ...entry, keep };
  }
  const kept = [...one.keep.kept];
  for (const mark of other.keep.kept) if (!kept.some((known) => sameValue(known, mark))) kept.push(mark);
  const isKept = (mark: ImageMark): boolean =>
    kept.some((known) => known.pid === mark.pid && known.startTicks === mark.startTicks);
  const plain = (entry.keep ?? one.keep).plain.filter((mark) => !isKept(mark));
  return { ...entry, keep: { assigned: one.keep.assigned || other.keep.assigned, kept, plain } };
};

/** Returns whether two values are equal but for fields that change at every scan. */
const sameBut = <Value extends object>(left: Value, right: Value, passing: ReadonlySet<keyof Value>): boolean =>
  (Object.keys(left) as (keyof Value)[]).every((field) => passing.has(field) || sameValue(left[field], right[field]));

const passingOfEntry = new Set<keyof LedgerEntry>(['lastSeenMs', 'lastSeenTicks', 'activity', 'watch', 'server']);
const passingOfActivity = new Set<keyof Activity>(['observedAtTicks', 'quietLooks']);

/** Returns what is waited for and held, without times: a name's first writer knows them. */
const followed = ({ watch }: LedgerEntry): readonly string[] =>
  watch === null ? [] : [...Object.keys(watch.waits), ...Object.keys(watch.connections)];

/**
 * Returns whether an entry has to be written: at once when a fact about the job changed, after a
 * while when only measurements did, and never only because time passed: a sleeping job costs no
 * write.
 * @param everything also writes recent measurements and the time of the latest scan
 */
const isToBeWritten = ({ entry, onDisk }: Remembered, everything: boolean): boolean => {
  if (onDisk === null) return true;
  if (onDisk === entry) return false;
  if (!sameBut(entry, onDisk, passingOfEntry)) return true;
  if (everything) return entry.lastSeenTicks !== onDisk.lastSeenTicks;
  return (
    entry.lastSeenMs - onDisk.lastSeenMs >= measurementsEveryMs &&
    (!sameBut(entry.activity, onDisk.activity, passingOfActivity) || !sameValue(followed(entry), followed(onDisk)))
  );
};

/** `entry`: what was seen of a job, as JSON; `keep`: the user's word, set by any process. */
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

/** Evidence about jobs: processes of the user's own, and agents. Each as JSON. */
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
const ledgerPlace = (path: string, now: () => number, notify: Notify): DatabasePlace => ({
  path,
  design: ledgerDesign,
  now,
  notify,
});

/**
 * What Curfew saw of jobs, across scans and restarts. Works in memory and writes what changed, so
 * an idle machine costs no writes. What other processes write (`curfew keep`, another scan) is
 * merged at the next `load`. If the file can't be used it goes on in memory and reports so once:
 * after a restart less is known, and so less is reaped.
 */
export class LedgerFile {
  readonly #place: DatabasePlace;
  readonly #file: LastingDatabase;
  readonly #spared: SparedFile;
  readonly #host: string | null;
  #boot: BootId | null = null;
  #remembered: ReadonlyMap<JobId, Remembered> = new Map();
  /** What was remembered when nothing of it had to be written: it is replaced, never changed. */
  #written: ReadonlyMap<JobId, Remembered> | null = null;
  #identity: string | null = null;
  readonly #awake = new RememberedAwake();
  #bad: readonly string[] = [];
  readonly #witnesses = new RememberedWitnesses();
  #generation: number | null = null;
  #version: number | null = null;

  /**
   * @param path of the database
   * @param now wall clock, milliseconds
   * @param notify gets damaged files set aside, unreadable entries, and failures to write
   * @param spared what spares processes, in files of its own
   * @param host another machine; null: this one. It tells of itself which boot it is of, and what
   * it says is no evidence about the machine whose boot that really is.
   */
  constructor(
    path: string,
    now: () => number,
    notify: Notify,
    spared: SparedFile = new SparedFile([], notify),
    host: string | null = null,
  ) {
    this.#spared = spared;
    this.#host = host;
    this.#place = ledgerPlace(path, now, notify);
    this.#file = new LastingDatabase(this.#place);
  }

  /** Returns the known jobs of a boot, merged with other processes' writes. Cheap without any. */
  load(boot: BootId): readonly LedgerEntry[] {
    this.#read(boot);
    return [...this.#remembered.values()].map(({ entry }) => entry);
  }

  /**
   * Remembers all jobs of a scan and writes those that changed. A job of this ledger that is
   * missing now has ended and is deleted; one that only another process knows stays.
   */
  save(boot: BootId, entries: readonly LedgerEntry[]): void {
    if (boot !== this.#boot) this.load(boot);
    const before = this.#remembered;
    this.#remembered = new Map(
      entries.map((entry) => [entry.id, { entry, onDisk: before.get(entry.id)?.onDisk ?? null }]),
    );
    this.#write([...before.keys()].filter((id) => !this.#remembered.has(id)));
  }

  /**
   * When the machine was awake in a boot. A new stretch is written at once; the length of the
   * latest one only with other changes, and at the end.
   */
  readonly awake = {
    load: (boot: BootId): readonly AwakeStretch[] => {
      this.#read(boot);
      return this.#awake.all();
    },
    save: (boot: BootId, stretches: readonly AwakeStretch[]): void => {
      if (boot !== this.#boot) this.#read(boot);
      this.#awake.replace(stretches);
      if (this.#awake.isNew()) this.#write([]);
    },
  };

  /** Returns the known witnesses of a boot, merged with other processes' writes. */
  witnesses(boot: BootId): readonly Witness[] {
    this.#read(boot);
    return this.#witnesses.all();
  }

  /** Remembers the witnesses of a scan and writes those that changed; missing ones are deleted. */
  saveWitnesses(boot: BootId, witnesses: readonly Witness[]): void {
    if (boot !== this.#boot) this.#read(boot);
    this.#witnesses.replace(witnesses);
    this.#write([]);
  }

  /** Remembers when users were told of jobs (wall clock, ms), and of ends, in one durable write. */
  rememberNotices(notices: readonly GivenNotice[], atMs: number): void {
    const remembered = new Map(this.#remembered);
    for (const { id, announcedAtTicks } of notices) {
      const known = remembered.get(id);
      if (known === undefined) continue;
      const entry = {
        ...known.entry,
        noticedAtMs: known.entry.noticedAtMs ?? atMs,
        announcedAtTicks: announcedAtTicks ?? known.entry.announcedAtTicks,
      };
      remembered.set(id, { ...known, entry });
    }
    this.#remembered = remembered;
    this.#write([]);
  }

  readonly spared: NonNullable<LedgerMemory['spared']> = {
    meet: (now) => this.#spared.meet(now, this.#read(now.bootId) ? this.#identity : null),
    note: (now, facts, isOver) => this.#spared.note(now, facts, isOver),
    say: (now, facts) => this.#spared.say(now, facts),
    takeBack: (now, job) => this.#spared.takeBack(now, job),
  };

  /** Writes what is newer in memory and closes the file. */
  close(): void {
    this.#write([], 'everything');
    this.#file.close();
  }

  #read(boot: BootId): boolean {
    if (boot !== this.#boot) {
      this.#boot = boot;
      this.#remembered = new Map();
      this.#witnesses.clear();
      this.#awake.clear();
      this.#version = null;
    }
    return this.#attempt('read', (use) => this.#takeOver(use, boot));
  }

  /** Merges what is on disk, if another process has written since. */
  #takeOver({ connection, generation }: DatabaseUse, boot: BootId): void {
    this.#meet(generation);
    const version = dataVersion(connection);
    if (version === this.#version) return;
    const { entries, identity, awake, bad, witnesses } = readLedger(connection, boot, this.#rowsOf(boot));
    this.#witnesses.takeOver(witnesses);
    this.#awake.takeOver(awake);
    const remembered = new Map(this.#remembered);
    for (const onDisk of entries) {
      const known = remembered.get(onDisk.id)?.entry;
      const newer = known !== undefined && known.lastSeenTicks > onDisk.lastSeenTicks ? known : onDisk;
      const entry = known === undefined ? newer : withEveryMark(newer, known, onDisk);
      remembered.set(onDisk.id, { entry, onDisk });
    }
    this.#remembered = remembered;
    this.#identity = `${identity} ${birthOf(this.#place.path)}`;
    const rows = bad.filter((id) => !this.#bad.includes(id)).length;
    this.#bad = bad;
    this.#version = version;
    if (rows > 0) this.#place.notify({ kind: 'dropped', name: this.#place.design.name, path: this.#place.path, rows });
  }

  /** The name under which the rows of a boot stand. */
  #rowsOf(boot: BootId): BootId {
    return this.#host === null ? boot : asBootId(`${boot} ${this.#host}`);
  }

  /** A new file lacks what is remembered. */
  #meet(generation: number): void {
    if (generation === this.#generation) return;
    if (this.#generation !== null) {
      this.#remembered = new Map([...this.#remembered].map(([id, { entry }]) => [id, { entry, onDisk: null }]));
      this.#awake.loseDisk();
      this.#witnesses.loseDisk();
    }
    this.#generation = generation;
    this.#version = null;
  }

  #toBeWritten(what: 'changes' | 'everything'): readonly LedgerEntry[] {
    if (what === 'changes' && this.#written === this.#remembered) return [];
    const found = [...this.#remembered.values()].filter((known) => isToBeWritten(known, what === 'everything'));
    if (what === 'changes' && found.length === 0) this.#written = this.#remembered;
    return found.map(({ entry }) => entry);
  }

  /** Returns whether everything is on disk. */
  #write(ended: readonly JobId[], what: 'changes' | 'everything' = 'changes'): boolean {
    const change = (): LedgerChange => ({
      boot: this.#boot === null ? null : this.#rowsOf(this.#boot),
      written: this.#toBeWritten(what),
      gone: [...ended, ...this.#bad],
      awake: this.#awake.all(),
      witnesses: this.#witnesses.change(),
    });
    const { written, gone, witnesses } = change();
    const isEmpty = written.length === 0 && gone.length === 0;
    const isAwakeWritten = !this.#awake.isNew() && !(what === 'everything' && this.#awake.hasLasted());
    if (isEmpty && isAwakeWritten && witnesses.written.length === 0 && witnesses.gone.length === 0) return true;
    return this.#attempt('write', ({ connection, generation }) => {
      this.#meet(generation);
      const due = change();
      writeLedger(connection, due, this.#place.now());
      const remembered = new Map(this.#remembered);
      for (const entry of due.written) remembered.set(entry.id, { entry, onDisk: entry });
      this.#remembered = remembered;
      this.#witnesses.wrote(due.witnesses);
      this.#awake.wrote(due.awake);
      this.#bad = [];
    });
  }

  /** Does something with the file. False when it can't be used now. */
  #attempt(during: 'read' | 'write', work: (use: DatabaseUse) => void): boolean {
    const use = (opened: DatabaseUse): void => {
      if (opened.opened) this.#version = null;
      work(opened);
    };
    return this.#file.attempt(during, use);
  }
}
