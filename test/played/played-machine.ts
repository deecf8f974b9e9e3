import type { Incident, IncidentEvent, Intent } from '../../app/history/incident.ts';
import type { LedgerEntry } from '../../app/jobs/ledger/ledger.ts';
import type { Witness } from '../../app/jobs/lineage/witness.ts';
import { emptySessionDirectory } from '../../app/model/session.ts';
import type { AwakeStretch } from '../../app/process/awake.ts';
import { asPid, type Pid } from '../../app/process/identity.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import { defaultSettings } from '../../app/settings/defaults.ts';
import type { Settings } from '../../app/settings/settings.ts';
import { evidenceFrom } from '../../main/observing/evidence.ts';
import type { Look } from '../../main/observing/look.ts';
import { Observer } from '../../main/observing/observer.ts';
import type { Signaller } from '../../main/os/processes/signaller.ts';
import type { ProcessSource } from '../../main/os/processes/source.ts';
import { Reaper } from '../../main/reaping/reaper.ts';
import { storedLedgerEntry } from '../../main/store/ledger/ledger-rows.ts';
import { storedWitness } from '../../main/store/ledger/ledger-witnesses.ts';
import { SeenNotices } from '../../main/supervisor/notice-ledger.ts';
import { localHost } from '../../app/remote/host-list.ts';
import { Watch } from '../../main/supervisor/watch.ts';

/** What one run of Curfew is made of. */
interface Running {
  readonly observer: Observer;
  readonly reaper: Reaper;
  readonly watch: Watch;
}

/** What is on disk, as text: nothing else outlives a run of Curfew. */
class Disk {
  #entries: readonly string[] = [];
  #witnesses: readonly string[] = [];
  /** When the machine was awake. */
  awake: readonly AwakeStretch[] = [];
  /** What was read of texts before: most entries are the same at the next look. */
  #read = new Map<string, LedgerEntry | null>();

  get entries(): readonly LedgerEntry[] {
    this.#read = new Map(this.#entries.map((text) => [text, this.#read.get(text) ?? storedLedgerEntry(text)]));
    return [...this.#read.values()].filter((entry) => entry !== null);
  }

  set entries(entries: readonly LedgerEntry[]) {
    this.#entries = entries.map((entry) => JSON.stringify(entry));
  }

  get witnesses(): readonly Witness[] {
    return this.#witnesses.map((text) => storedWitness(text)).filter((one) => one !== null);
  }

  set witnesses(witnesses: readonly Witness[]) {
    this.#witnesses = witnesses.map((one) => JSON.stringify(one));
  }
}

/** The part of a machine that is played: a clock that goes only when a test says so. */
export interface PlayedKernel {
  /** Wall clock, milliseconds. */
  nowMs: number;
}

/** What Curfew opens at each of its starts. */
export interface OpenedKernel {
  readonly source: ProcessSource;
  readonly signaller: Signaller;
}

/**
 * A simulated machine with the real reader, observer, judge and reaper of Curfew on it. The kernel,
 * the clock and the disk are played. Time goes only when a test says so.
 */
export class PlayedMachine<Kernel extends PlayedKernel> {
  readonly kernel: Kernel;
  readonly disk = new Disk();
  readonly ended: Incident[] = [];
  readonly problems: unknown[] = [];
  /** Jobs that a user would have been told of, each time. */
  readonly noticed: string[] = [];
  /** Which announcements were seen; null: each counts as soon as it is given. */
  seen: SeenNotices | null = null;
  /** Servers of living sessions are jobs too, from the next start of Curfew on. */
  allServers = false;
  settings: Settings = { ...defaultSettings, mode: 'enforce' };
  readonly #open: () => OpenedKernel;
  readonly #ownPid: number;
  #running: Running;
  #steadyMs = 0;

  /** @param ownPid the process of the simulated machine that is Curfew */
  constructor(kernel: Kernel, ownPid: number, open: () => OpenedKernel) {
    this.kernel = kernel;
    this.#ownPid = ownPid;
    this.#open = open;
    this.#running = this.#begin();
  }

  /** Curfew ends and is started again: it knows what is on disk. */
  restart(): void {
    this.#running = this.#begin();
  }

  /** From now on an announcement counts only once it was seen; Curfew is started anew. */
  restartWithSeen(): SeenNotices {
    this.seen = new SeenNotices();
    this.restart();
    return this.seen;
  }

  /** Lets time pass on every clock. */
  pass(seconds: number): void {
    this.kernel.nowMs += seconds * 1000;
    this.#steadyMs += seconds * 1000;
  }

  /** One look, with everything that follows from it. */
  look(): Look {
    const { observer, watch } = this.#running;
    const look = observer.look();
    watch.now(look);
    return look;
  }

  /** Looks every few seconds for so long. */
  watch(seconds: number, everySeconds = 5): void {
    for (let passed = 0; passed < seconds; passed += everySeconds) {
      this.pass(everySeconds);
      this.look();
    }
  }

  #begin(): Running {
    const { kernel, disk } = this;
    const { source, signaller } = this.#open();
    let rows: ReadonlyMap<Pid, ProcessRow> = new Map();
    const evidence = evidenceFrom(
      source,
      () => this.settings.rules,
      () => rows,
    );
    const observer = new Observer({
      source,
      evidence,
      readSessions: (table) => {
        ({ rows } = table);
        return emptySessionDirectory;
      },
      ledger: {
        awake: { load: () => disk.awake, save: (_boot, awake) => (disk.awake = awake) },
        load: () => disk.entries,
        save: (_boot, entries) => (disk.entries = entries),
        witnesses: () => disk.witnesses,
        saveWitnesses: (_boot, witnesses) => (disk.witnesses = witnesses),
      },
      announces: true,
      allServers: this.allServers,
      settings: () => this.settings,
      now: () => kernel.nowMs,
      fileBytes: () => null,
      freeBytes: () => null,
      numberIn: () => null,
      ownPid: () => asPid(this.#ownPid),
    });
    const intents: Intent[] = [];
    const events: IncidentEvent[] = [];
    const reaper = new Reaper({
      source,
      signaller,
      journal: {
        begin: (intent, admit) => {
          admit?.(intents);
          intents.push(intent);
        },
        append: (_incident, event) => void events.push(event),
        together: (write) => write(),
      },
      now: () => kernel.nowMs,
      steadyNow: () => this.#steadyMs,
      writer: { pid: this.#ownPid, startTicks: 1 },
      vetoContext: (job, look) => observer.vetoContext(job, look),
      outputTail: () => null,
      outputToTellIn: () => null,
      tellAgent: () => ({ told: false, text: 'nowhere' }),
    });
    const watch = new Watch({
      where: 'here',
      observer,
      reaper,
      settings: () => this.settings,
      journalProblem: () => null,
      rememberNotices: (notices, atMs) => {
        const given = new Map(notices.map(({ id, announcedAtTicks }) => [id, announcedAtTicks]));
        disk.entries = disk.entries.map((entry) => {
          const announcedAtTicks = given.get(entry.id);
          if (announcedAtTicks === undefined) return entry;
          return {
            ...entry,
            noticedAtMs: entry.noticedAtMs ?? atMs,
            announcedAtTicks: announcedAtTicks ?? entry.announcedAtTicks,
          };
        });
      },
      ...(this.seen === null ? {} : { seen: this.seen.of(localHost) }),
      now: () => kernel.nowMs,
      steadyNow: () => this.#steadyMs,
      paused: () => false,
      stopping: () => false,
      events: {
        looked: () => undefined,
        noticed: ({ job }) => this.noticed.push(job.id),
        reaping: () => undefined,
        ended: (incident) => this.ended.push(incident),
        failed: ({ error }) => this.problems.push(error),
        problem: (error) => this.problems.push(error),
      },
    });
    return { observer, reaper, watch };
  }
}
