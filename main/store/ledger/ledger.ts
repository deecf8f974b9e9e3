import type { JobId } from '../../../app/model/job.ts';
import type { LedgerEntry } from '../../../app/jobs/ledger/ledger.ts';
import type { AwakeStretch } from '../../../app/process/awake.ts';
import type { Witness } from '../../../app/jobs/lineage/witness.ts';
import type { BootId } from '../../../app/process/identity.ts';
import type { GivenNotice, LedgerMemory } from '../../observing/observer-tools.ts';
import type { DatabasePlace } from '../database/database-design.ts';
import { type DatabaseUse, LastingDatabase } from '../database/lasting-database.ts';
import { RememberedAwake } from './ledger-awake.ts';
import { isToBeWritten, withEveryMark, type Remembered } from './ledger-change.ts';
import { ledgerPlace } from './ledger-design.ts';
import { dataVersion, readLedger, writeLedger, type LedgerChange } from './ledger-rows.ts';
import { RememberedWitnesses } from './ledger-witnesses.ts';
import type { Notify } from '../database/store-notice.ts';
import { birthOf } from '../database/set-aside.ts';
import { SparedFile } from '../spared/spared-file.ts';

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
  #boot: BootId | null = null;
  #remembered: ReadonlyMap<JobId, Remembered> = new Map();
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
   */
  constructor(path: string, now: () => number, notify: Notify, spared: SparedFile = new SparedFile([], notify)) {
    this.#spared = spared;
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

  /**
   * Remembers when the user was notified of jobs (wall clock, ms), and whether their ends were
   * announced, in one durable write.
   */
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
    note: (now, facts) => this.#spared.note(now, facts),
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
    return this.#attempt('read', (use) => {
      this.#takeOver(use, boot);
    });
  }

  /** Merges what is on disk, if another process has written since. */
  #takeOver({ connection, generation }: DatabaseUse, boot: BootId): void {
    this.#meet(generation);
    const version = dataVersion(connection);
    if (version === this.#version) return;
    const { entries, identity, awake, bad, witnesses } = readLedger(connection, boot);
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

  /** Returns whether everything is on disk. */
  #write(
    ended: readonly JobId[],
    what: 'changes' | 'everything' = 'changes',
    when: 'calmly' | 'at once' = 'calmly',
  ): boolean {
    const change = (): LedgerChange => ({
      boot: this.#boot,
      written: [...this.#remembered.values()]
        .filter((known) => isToBeWritten(known, what === 'everything'))
        .map(({ entry }) => entry),
      gone: [...ended, ...this.#bad],
      awake: this.#awake.all(),
      witnesses: this.#witnesses.change(),
    });
    const { written, gone, witnesses } = change();
    const isEmpty = written.length === 0 && gone.length === 0;
    const isAwakeWritten = !this.#awake.isNew() && !(what === 'everything' && this.#awake.hasLasted());
    if (isEmpty && isAwakeWritten && witnesses.written.length === 0 && witnesses.gone.length === 0) return true;
    return this.#attempt(
      'write',
      ({ connection, generation }) => {
        this.#meet(generation);
        const due = change();
        writeLedger(connection, due, this.#place.now());
        const remembered = new Map(this.#remembered);
        for (const entry of due.written) remembered.set(entry.id, { entry, onDisk: entry });
        this.#remembered = remembered;
        this.#witnesses.wrote(due.witnesses);
        this.#awake.wrote(due.awake);
        this.#bad = [];
      },
      when,
    );
  }

  /** Does something with the file. False when it can't be used now. */
  #attempt(during: 'read' | 'write', work: (use: DatabaseUse) => void, when: 'calmly' | 'at once' = 'calmly'): boolean {
    const use = (opened: DatabaseUse): void => {
      if (opened.opened) this.#version = null;
      work(opened);
    };
    return this.#file.attempt(during, use, when);
  }
}
