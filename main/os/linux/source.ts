import { say } from '../../../app/text/say.ts';
import { readlinkSync } from 'node:fs';
import { forwardedBy } from '../../../app/agents/signatures.ts';
import type { Said } from '../../../app/format/said.ts';
import { visibleText } from '../../../app/format/visible.ts';
import type { MarkerEnvironment, MemberFacts, OpenFile } from '../../../app/process/facts.ts';
import { asPid, type BootId, type Pid } from '../../../app/process/identity.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import { drain, type Steps } from '../../../app/process/steps.ts';
import type { ProcessTable } from '../../../app/process/table.ts';
import {
  type Glances,
  type Listening,
  type Namespaces,
  type ProcessSource,
  ProcessTableUnreadable,
  type SteppedReading,
} from '../processes/source.ts';
import { readKernelUnits, type KernelUnits } from './proc/stat.ts';
import { pidNamespaceOf, processesMayBeHidden, readBootId } from './proc/boot.ts';
import { CommandTexts } from './proc/command-texts.ts';
import { BootClock } from './proc/clock.ts';
import { ProcGlances } from './proc/glances.ts';
import { KeptFacts, MemberFactsReader, controlGroupsOf, holdsOutput } from './facts/member-facts.ts';
import { type MarkerNames, environBytes, markerNames, markersIn, noMarkers } from '../processes/environ.ts';
import { InnerPids } from './proc/inner-pids.ts';
import { KnownProcesses, rotation } from './proc/known-processes.ts';
import { livingThreadOf } from './proc/living-thread.ts';
import { outputsOf } from './proc/open-files.ts';
import type { EndsProbing, Probing, SocketProbing } from '../processes/probing.ts';
import { type PidCursor, listPids, pidsBetween, readLastPid, readPidCursor, reusedBetween } from './proc/pid-cursor.ts';
import type { ChannelRound } from '../../../app/process/channels.ts';
import { channelRound } from './sockets/channels.ts';
import { DisplayReader, isCompositor } from './sockets/displays.ts';
import { ListeningProcesses } from './sockets/listening.ts';
import { LocalWorld } from './sockets/local-world.ts';
import { linuxEndsProbing } from './probe/agent-ends.ts';
import { linuxProbing } from './probe/probing.ts';
import { ProcReader } from './proc/proc-reader.ts';
import { type CachedProcess, type Reading, RowReader } from './proc/row-reader.ts';
import { RunMarks } from './proc/run-marks.ts';
import { ownerOf } from './proc/owner.ts';
import { isStranger, readStrangers, takeUnread } from './proc/strangers.ts';
import { SocketTables } from './sockets/sockets.ts';

/** Ms after a scan without pid reuse: all others, at least 32,000, would have to come first. */
const sameMomentMs = 200;

/**
 * Listings in one scan beside the first, until a listed process did not end before it was read. A
 * process that forks and exits every 20 ms was never in the table of a busy machine, because the
 * first reading takes longer than it lives; its job was recorded as ended (1 of 120 times).
 */
const maxCatchUps = 4;

export interface LinuxSourceOptions {
  readonly environmentNames: Iterable<string>;
  readonly uid: number;
  /** Told what the user has to know of a process that can't be read. */
  readonly warn?: (text: Said) => void;
}

/** Processes that can't be read are named to the user, the first ones. */
const maxNamed = 5;

/**
 * Checks that /proc belongs to our own pid namespace. In another one, our pid and every pid that we
 * would signal belong to other processes.
 * @throws ProcessTableUnreadable
 */
const requireOwnProc = (): void => {
  let self: string;
  try {
    self = readlinkSync('/proc/self');
  } catch (error) {
    throw new ProcessTableUnreadable(
      say(
        '/proc/self can not be read: /proc is not mounted, or belongs to another pid namespace. Mount it for this one.',
      ),
      { cause: error },
    );
  }
  if (self !== String(process.pid))
    throw new ProcessTableUnreadable(
      say(
        '/proc belongs to another pid namespace: it calls this process {self}, the kernel calls it {pid}. Mount it for this one.',
        { self, pid: process.pid },
      ),
    );
};

export class LinuxSource implements ProcessSource {
  readonly name = 'procfs';
  readonly canReap = true;
  readonly bootId: BootId;
  readonly pidNamespace: string | null;
  readonly cgroups: MemberFacts['cgroups'];
  readonly refresh = null;
  readonly probing: Probing;
  readonly sockets: SocketProbing;
  readonly ends: EndsProbing;
  readonly glances: Glances;
  readonly listening: Listening;
  readonly steps: SteppedReading = {
    scanning: (watched) => this.#scanning(watched),
    readingFacts: (rows, from) => this.#readingFacts(rows, from),
  };
  readonly namespaces: Namespaces = {
    namedInside: (pid, begun) => this.#inner.find(pid, this.#known.rows, this.#scans, begun),
    isFirstInside: ({ pid }) => this.#inner.isFirst(pid),
    controlGroups: (row) => this.#confirmed(row, controlGroupsOf(this.#reader, row.pid)),
  };
  readonly #reader = new ProcReader();
  readonly #names: MarkerNames;
  readonly #uid: number;
  readonly #warn: (text: Said) => void;
  readonly #named = new Set<string>();
  readonly #units: KernelUnits;
  readonly #clock: BootClock;
  readonly #texts: CommandTexts;
  readonly #rows: RowReader;
  readonly #known: KnownProcesses;
  readonly #inner: InnerPids;
  readonly #displays = new DisplayReader();
  readonly #runs: RunMarks;
  readonly #kept = new KeptFacts();
  /** Of what was watched at the last scan, of a moment before its rows were read. */
  #marks: Map<number, string | null> = new Map();
  #cursor: PidCursor | null = null;
  /** See `MemberFacts.hidden`, of the environment read last. */
  #hidden: 'rewritten' | 'refused' | null = null;
  #mayHide = true;
  #scans = 0;
  #scannedAtMs = 0;

  /** @throws ProcessTableUnreadable when /proc isn't that of this process */
  constructor(options: LinuxSourceOptions) {
    requireOwnProc();
    this.#names = markerNames(options.environmentNames);
    this.#uid = options.uid;
    this.#warn = options.warn ?? (() => undefined);
    this.#units = readKernelUnits();
    this.bootId = readBootId();
    this.#clock = new BootClock(this.#reader, this.#units.ticksPerSecond);
    this.#texts = new CommandTexts(options.uid);
    this.#rows = new RowReader(this.#reader, this.#units, this.#texts);
    this.#known = new KnownProcesses({ read: (pid, before, scan) => this.#readWhole(pid, before, scan) });
    this.glances = new ProcGlances(this.#reader, this.#rows);
    const startTicks = (pid: number): number | null => this.#rows.startTicks(pid);
    this.probing = linuxProbing(this.#reader, startTicks);
    this.sockets = this.probing;
    this.ends = linuxEndsProbing(this.#reader, startTicks);
    this.pidNamespace = pidNamespaceOf('self');
    this.#runs = new RunMarks(this.#reader);
    this.listening = new ListeningProcesses({
      reader: this.#reader,
      runs: this.#runs,
      scans: () => this.#scans,
      confirmed: (row, fact) => this.#confirmed(row, fact),
    });
    this.#inner = new InnerPids(this.#reader, this.pidNamespace);
    this.cgroups = controlGroupsOf(this.#reader, 'self');
  }

  scan(watched: ReadonlySet<Pid>): ProcessTable {
    return drain(this.#scanning(watched));
  }

  *#scanning(watched: ReadonlySet<Pid>): Steps<ProcessTable> {
    requireOwnProc();
    // Read before the listing, so that the next scan begins where this one's knowledge ends.
    const cursor = readPidCursor(this.#reader);
    const pids = listPids();
    const last = readLastPid(this.#reader);
    const reused = reusedBetween(this.#cursor, cursor === null || last === null ? null : { ...cursor, last });
    const { ticksPerSecond } = this.#units;
    const before = this.#marks;
    const marks = new Map<number, string | null>();
    this.#marks = marks;
    const hasRun = (pid: number): boolean => {
      const mark = this.#runs.read(pid);
      marks.set(pid, mark);
      return mark === null || before.get(pid) !== mark;
    };
    yield* this.#known.updating({ pids, watched, hasRun, reused, nowTicks: this.#clock.now(), ticksPerSecond });
    for (let turn = 0; turn < maxCatchUps && this.#known.missed > 0; turn++) yield* this.#known.catchingUp(listPids());
    this.#cursor = cursor;
    this.#scannedAtMs = performance.now();
    const { rows } = this.#known;
    this.#texts.keepOnly(rows);
    this.#nameUnread();
    const own = rows.get(asPid(process.pid));
    if (own === undefined)
      throw new ProcessTableUnreadable(
        say('/proc does not show this very process, so what it shows is not the whole table.'),
      );
    if (this.#scans++ % rotation === 0) this.#mayHide = processesMayBeHidden();
    return {
      bootId: this.bootId,
      takenAtMs: Date.now(),
      ...this.#clock.moment(rows.values()),
      ...this.#known.since,
      ticksPerSecond,
      uid: this.#uid,
      self: own.pid,
      rows,
      complete: !this.#mayHide && this.#known.denied === 0 && rows.has(asPid(1)),
      missed: this.#known.missed,
    };
  }

  #nameUnread(): void {
    for (const pid of takeUnread()) {
      const row = this.#known.get(pid)?.row;
      const id = `${pid} ${row?.startTicks}`;
      if (row === undefined || this.#named.has(id) || this.#named.size >= maxNamed) continue;
      this.#named.add(id);
      this.#warn(
        say('What process {pid} ({name}) runs is not read, since that would not end: it is left alone.', {
          pid,
          name: visibleText(row.comm),
        }),
      );
    }
  }

  read(pid: Pid): ProcessRow | null {
    const reading = this.#rows.read(pid, undefined, 0, this.#known.get(pid));
    return reading === 'gone' || reading === 'denied' ? null : reading.row;
  }

  startedSinceScan(): readonly ProcessRow[] | null {
    const pids = pidsBetween(this.#cursor, readPidCursor(this.#reader));
    return pids?.map((pid) => this.read(asPid(pid))).filter((row) => row !== null) ?? null;
  }

  environment(row: ProcessRow): MarkerEnvironment | null {
    const cached = this.#known.get(row.pid);
    const current = cached !== undefined && cached.row.startTicks === row.startTicks && cached.row.argv === row.argv;
    if (current && cached.environment !== undefined && cached.environment !== null) return cached.environment;
    const environment = this.readEnvironment(row.pid);
    if (current && performance.now() - this.#scannedAtMs < sameMomentMs) return (cached.environment = environment);
    const confirmed = this.#confirmed(row, environment);
    if (current) cached.environment = confirmed;
    return confirmed;
  }

  /**
   * Reads a process and, where it is new or has another image, its environment in the same moment.
   * Asked later, its owner, its mount namespace and, after `sameMomentMs`, its start time are read
   * again: a fifth of a first scan of 300 processes, a quarter of one of 8,000.
   * @throws ProcessTableUnreadable
   */
  #readWhole(pid: Pid, before: CachedProcess | undefined, scan: number): Reading {
    const beganMs = performance.now();
    const reading = this.#rows.read(pid, before, scan);
    if (reading === 'gone' || reading === 'denied' || reading.environment !== undefined) return reading;
    const { uid } = reading.row;
    if (uid !== this.#uid || isStranger(uid) || reading.commandLine === '') return reading;
    const environment = this.#environmentOf(pid, uid);
    if (performance.now() - beganMs < sameMomentMs) reading.environment = environment;
    return reading;
  }

  readEnvironment(pid: Pid): MarkerEnvironment | null {
    return this.#environmentOf(pid, ownerOf(`/proc/${pid}`));
  }

  #environmentOf(pid: Pid, uid: number | null | 'gone'): MarkerEnvironment | null {
    if (uid !== 'gone' && isStranger(uid)) {
      const read = readStrangers({ pid, uid, file: 'environ' }, environBytes, this.#reader.bytes) ?? 0;
      this.#hidden = read > 0 ? null : 'refused';
      return read > 0 ? this.#markersRead(read) : null;
    }
    let length = this.#reader.read(`/proc/${pid}/environ`, environBytes);
    if (length === -1) {
      const thread = this.#reader.refusal === 'gone' ? livingThreadOf(pid) : null;
      if (thread !== null) length = this.#reader.read(`${thread}/environ`, environBytes);
    }
    if (length === -1) {
      this.#hidden = this.#reader.refusal === 'denied' ? 'refused' : null;
      return null;
    }
    if (length === 0) {
      const why = this.#rows.emptyEnvironment(pid);
      this.#hidden = why === 'unknown' ? 'rewritten' : null;
      return why === 'none' ? noMarkers : null;
    }
    return this.#markersRead(length);
  }

  #markersRead(length: number): MarkerEnvironment | null {
    const found = markersIn(this.#reader.bytes, 0, length, this.#names, length >= environBytes);
    this.#hidden = found === null ? 'rewritten' : null;
    return found;
  }

  outputs(row: ProcessRow): readonly OpenFile[] | null {
    const files = outputsOf(row.pid);
    const telling = files?.some(({ target }) => target.startsWith('/') && !target.startsWith('/dev/')) ?? false;
    return telling ? this.#confirmed(row, files) : files;
  }

  holdsOutput(row: ProcessRow, path: string, base: string, orRemoved: boolean): boolean {
    return holdsOutput(row, path, base, orRemoved) && this.#confirmed(row, true) === true;
  }

  facts(rows: readonly ProcessRow[]): ReadonlyMap<number, MemberFacts> {
    return drain(this.#readingFacts(rows, 'fresh'));
  }

  *#readingFacts(rows: readonly ProcessRow[], from: 'fresh' | 'kept'): Steps<ReadonlyMap<number, MemberFacts>> {
    const world = new LocalWorld(this.#reader, () => this.#compositors());
    const reader = new MemberFactsReader(this.#reader, { reader: this.#displays, world });
    const facts = new Map<number, MemberFacts>();
    for (const row of rows) {
      const mark = from === 'fresh' ? null : (this.#marks.get(row.pid) ?? this.#runs.read(row.pid));
      const kept = this.#kept.find(row, mark, this.#scans);
      if (kept !== null) {
        facts.set(row.pid, kept);
        continue;
      }
      const environment = this.readEnvironment(row.pid);
      const hidden = this.#hidden === null ? {} : { hidden: this.#hidden };
      const image = this.#rows.image(row.pid);
      const fact = this.#confirmed(row, {
        ...reader.read(row.pid, environment, forwardedBy(row.argv)?.port ?? null),
        ...hidden,
        ...(image === null ? {} : { image }),
      });
      if (fact !== null) {
        facts.set(row.pid, fact);
        this.#kept.keep(row, mark, this.#scans, fact);
      }
      yield;
    }
    return facts;
  }

  channels(): ChannelRound {
    return channelRound(this.#reader);
  }

  #compositors(): readonly number[] {
    return [...this.#known.rows.values()].flatMap(({ pid, comm }) => (isCompositor(comm) ? [pid] : []));
  }

  portsInUse(): ReadonlySet<number> {
    return new Set(new SocketTables(this.#reader).listening(process.pid).values());
  }

  /** Facts count only if the pid is still that process afterwards: then it was all along. */
  #confirmed<Fact>(row: ProcessRow, fact: Fact): Fact | null {
    return this.#rows.startTicks(row.pid) === row.startTicks ? fact : null;
  }
}
