import { say } from '../../../../app/text/say.ts';
import type { ChannelRound } from '../../../../app/process/channels.ts';
import type { LaunchFacts, MarkerEnvironment, MemberFacts, OpenFile } from '../../../../app/process/facts.ts';
import { type BootId, type Pid, asBootId, asPid } from '../../../../app/process/identity.ts';
import type { ProcessRow } from '../../../../app/process/row.ts';
import type { ProcessTable } from '../../../../app/process/table.ts';
import { markerNames } from '../../processes/environ.ts';
import type { Probing, SocketProbing } from '../../processes/probing.ts';
import { rowOr } from '../../processes/same-row.ts';
import { type Gaps, type KernelRecords, type ProcessSource, ProcessTableUnreadable } from '../../processes/source.ts';
import { momentOf } from '../common/clock.ts';
import { type Descriptor, readDescriptors, readFolder, readProgram } from '../kernel/descriptors.ts';
import { askUniqueIds, readCoalition, readUniqueIds } from '../kernel/identity.ts';
import type { DarwinKernel } from '../kernel/kernel.ts';
import { type KernelRow, TableReader, readRow } from '../kernel/process-rows.ts';
import { OwnProcesses } from './own-processes.ts';
import { nativeProbing } from './probing.ts';
import type { KnownProcess } from './process-memory.ts';
import { ShownWindows, type WindowsShown } from './shown-windows.ts';
import { channelRound } from './sockets.ts';

/** Returns an open file as the rest of Curfew names it. */
const openFileOf = (one: Descriptor): OpenFile => {
  const { fd } = one;
  switch (one.kind) {
    case 'file':
      return { fd, target: one.path === '' ? 'deleted' : one.path, deleted: one.deleted };
    case 'internet':
    case 'local':
      return { fd, target: one.socket, deleted: false };
    case 'pipe':
      return { fd, target: one.end, deleted: false };
    case 'other':
    case 'unknown':
      return { fd, target: one.kind, deleted: false };
  }
};

/** What is known of a process besides its open files. */
export interface MemberInput {
  readonly environment: MarkerEnvironment | null;
  readonly hidden: NonNullable<MemberFacts['hidden']> | null;
  /** Null: not the user's own. */
  readonly launched: LaunchFacts | 'untold' | null;
  /** Reads what the kernel asks file systems about; null where that is not done now. */
  readonly unlessSlow: <Fact>(read: () => Fact) => Fact | null;
  readonly shown: WindowsShown;
}

/**
 * Reads what a process holds.
 * @throws ProcessTableUnreadable
 */
const readMemberFacts = (kernel: DarwinKernel, pid: number, input: MemberInput): MemberFacts => {
  const held = input.unlessSlow(() => ({
    found: readDescriptors(kernel, pid)?.all ?? null,
    folder: readFolder(kernel, pid),
  }));
  const { found, folder } = held ?? { found: null, folder: null };
  const sockets = (found ?? []).filter(({ kind }) => kind === 'internet' || kind === 'local');
  const ports = sockets.flatMap((one) => (one.kind === 'internet' && one.state === 'listens' ? [one.localPort] : []));
  return {
    environment: input.environment,
    ...(input.hidden === null ? {} : { hidden: input.hidden }),
    cwd: folder?.path ?? null,
    cwdDeleted: folder?.deleted ?? false,
    executable: readProgram(kernel, pid),
    openFiles: found?.map(openFileOf) ?? null,
    cgroups: null,
    pidNamespace: null,
    ioBytes: null,
    ports: [...new Set(ports)].toSorted((left, right) => left - right),
    sockets: sockets.length - ports.length,
    // macOS shows neither the call in which a process waits nor which files are locked now.
    blockedReading: null,
    locks: [],
    // A list that can't be had may hold a window of each program.
    ...(input.shown === 'unknown' || input.shown.has(pid) ? { displays: [{ at: 'the desktop', peer: null }] } : {}),
    ...(input.launched === null ? {} : { launched: input.launched }),
  };
};

/** A reading that took longer than this waited for something, ms; one takes microseconds. */
const slowMs = 250;
/** What was slow is not read again for this long, ms. */
const spareMs = 10 * 60_000;

/**
 * The processes whose open files take long to read. The kernel asks the file system about each of
 * them, and one that is out of reach (a network volume) answers late, while the interface waits.
 */
export class SlowReadings {
  readonly #now: () => number;
  readonly #until = new Map<number, number>();

  /** @param now a clock that is never set, ms */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Reads something of a process; returns null, and reads nothing, where that was slow a while ago.
   * @param id the process's unique id
   */
  unlessSlow<Fact>(id: number, read: () => Fact): Fact | null {
    const beganMs = this.#now();
    if ((this.#until.get(id) ?? -Infinity) > beganMs) return null;
    this.#until.delete(id);
    const fact = read();
    const endedMs = this.#now();
    if (endedMs - beganMs > slowMs) this.#until.set(id, endedMs + spareMs);
    return fact;
  }

  keepOnly(ids: ReadonlySet<number>): void {
    for (const id of this.#until.keys()) if (!ids.has(id)) this.#until.delete(id);
  }
}

const launchdPid = 1;

export interface NativeSourceOptions {
  readonly kernel: DarwinKernel;
  readonly environmentNames: Iterable<string>;
  readonly uid: number;
  /** Curfew's own pid; for tests. */
  readonly ownPid?: number;
  /** Wall clock, milliseconds; for tests. */
  readonly now?: () => number;
  /** A clock that is never set, milliseconds; for tests. */
  readonly steadyNow?: () => number;
}

/**
 * A look that takes longer than this is given up, ms: each call about a process waits while that
 * process is inside exec, and the interface with it.
 */
const maxLookMs = 2_000;

const textOf = (kernel: DarwinKernel, name: string): string => {
  const { bytes, errno } = kernel.sysctl(name, 128);
  const end = bytes.indexOf(0);
  return errno === 0 ? bytes.toString('utf8', 0, end === -1 ? bytes.length : end) : '';
};

/** Returns how many mach ticks a second has; `mach_timebase_info` is wrong under Rosetta. */
const machFrequency = (kernel: DarwinKernel): number => {
  const { bytes, errno } = kernel.sysctl('hw.tbfrequency', 8);
  const frequency = errno === 0 && bytes.length === 8 ? Number(bytes.readBigUInt64LE(0)) : 0;
  if (frequency < 1_000 || frequency > 1e12)
    throw new ProcessTableUnreadable(say('The kernel does not tell its clock.'));
  return frequency;
};

/**
 * The process table of macOS, from the kernel itself: one call for the table, one for each process
 * of the user, four more for one that is new. No program is started.
 *
 * A process is known by its unique id, which the kernel gives once in a boot; arguments and
 * environment are those of first sight, because processes overwrite both.
 */
export class NativeSource implements ProcessSource {
  readonly name = 'libproc';
  readonly canReap = true;
  readonly pidNamespace = null;
  readonly cgroups = null;
  readonly refresh = null;
  readonly bootId: BootId;
  readonly probing: Probing;
  readonly sockets: SocketProbing;
  readonly gaps: Gaps = {
    sessions: 'kept',
    hidesEnvironment: (row) => {
      const seen = this.#own.memory.get(row.pid, row.startTicks)?.seen;
      return seen?.environment === null && seen.hidden === null;
    },
    unanswered: () => this.#kernel.unanswered?.() ?? [],
  };
  readonly records: KernelRecords = {
    parent: (pid) => {
      const ids = readUniqueIds(this.#kernel, pid);
      return ids === null ? null : this.#own.memory.pidOf(ids.parentUniqueId);
    },
    coalition: (pid) => readCoalition(this.#kernel, pid),
  };
  readonly #kernel: DarwinKernel;
  readonly #uid: number;
  readonly #ownPid: Pid;
  readonly #now: () => number;
  readonly #table: TableReader;
  readonly #own: OwnProcesses;
  /** When launchd started, by the wall clock of then. */
  readonly #bootTicks: number;
  readonly #steadyNow: () => number;
  readonly #slow: SlowReadings;
  readonly #windows: ShownWindows;
  #complete = false;
  #rows: ReadonlyMap<Pid, ProcessRow> = new Map();

  /** @throws ProcessTableUnreadable when the kernel does not tell its boot or its clock */
  constructor(options: NativeSourceOptions) {
    const { kernel, environmentNames, uid, ownPid = process.pid, now = Date.now } = options;
    this.#steadyNow = options.steadyNow ?? (() => performance.now());
    this.#slow = new SlowReadings(this.#steadyNow);
    this.#windows = new ShownWindows(kernel, this.#steadyNow);
    this.#kernel = kernel;
    this.#uid = uid;
    this.#ownPid = asPid(ownPid);
    this.#now = now;
    this.#table = new TableReader(kernel);
    this.probing = nativeProbing(kernel, ownPid);
    this.sockets = this.probing;
    const boot = textOf(kernel, 'kern.bootsessionuuid');
    if (!/^[0-9A-Fa-f-]{36}$/u.test(boot))
      throw new ProcessTableUnreadable(say('This machine does not identify its boots.'));
    this.bootId = asBootId(boot);
    const launchd = readUniqueIds(kernel, launchdPid);
    const first = readRow(kernel, launchdPid);
    if (launchd === null || first === null) throw new ProcessTableUnreadable(say('The kernel does not show launchd.'));
    this.#bootTicks = first.startTicks;
    this.#own = new OwnProcesses({
      kernel,
      names: markerNames(environmentNames),
      uid,
      frequency: machFrequency(kernel),
      launchdId: launchd.uniqueId,
    });
  }

  scan(watched: ReadonlySet<Pid>): ProcessTable {
    const takenAtMs = this.#now();
    const up = this.#kernel.upSeconds();
    const untilMs = this.#steadyNow() + maxLookMs;
    const { rows: found, unread: broken } = this.#table.read();
    const rows = new Map<Pid, ProcessRow>();
    let missed = 0;
    let unread = broken;
    for (const row of found) {
      if (row.pid === 0) continue;
      if (this.#steadyNow() > untilMs)
        throw new ProcessTableUnreadable(
          say('The kernel took more than {seconds} s to tell its processes.', { seconds: maxLookMs / 1000 }),
        );
      const known = this.#own.isOwn(row) ? this.#own.update(row, watched.has(asPid(row.pid))) : null;
      if (known === 'refused') unread += 1;
      if (known === 'gone') missed += 1;
      else {
        const built = this.#build(row, known === 'refused' ? null : known);
        rows.set(built.pid, rowOr(this.#rows.get(built.pid), built));
      }
    }
    if (!rows.has(this.#ownPid))
      throw new ProcessTableUnreadable(
        say('The kernel does not show this very process, so this is not the whole table.'),
      );
    this.#rows = rows;
    this.#complete = unread === 0 && rows.has(asPid(launchdPid));
    this.#own.looked(rows);
    this.#slow.keepOnly(
      new Set([...rows.values()].flatMap(({ numbers }) => (numbers === undefined ? [] : numbers.own))),
    );
    return {
      bootId: this.bootId,
      ...momentOf(takenAtMs, this.#bootTicks, up),
      uid: this.#uid,
      self: this.#ownPid,
      rows,
      complete: this.#complete,
      unread,
      missed,
    };
  }

  read(pid: Pid): ProcessRow | null {
    // The unique id is read before and after the row: then all of it is of one process.
    const before = askUniqueIds(this.#kernel, pid);
    const row = readRow(this.#kernel, pid);
    if (row === null) return null;
    if (!this.#own.isOwn(row)) return this.#build(row, null);
    const known = this.#own.update(row, true);
    const after = askUniqueIds(this.#kernel, pid);
    if (before === 'gone' || after === 'gone' || known === 'gone') return null;
    if (before === 'refused' && after === 'refused' && known === 'refused') return this.#build(row, null);
    if (before === 'refused' || after === 'refused' || known === 'refused')
      throw new ProcessTableUnreadable(say('The kernel does not identify process {pid}.', { pid }));
    if (before.uniqueId !== after.uniqueId || known.uniqueId !== after.uniqueId)
      throw new ProcessTableUnreadable(say('Process {pid} was replaced while it was read.', { pid }));
    return this.#build(row, known);
  }

  environment(row: ProcessRow): MarkerEnvironment | null {
    const known = this.#own.memory.get(row.pid, row.startTicks);
    return known === undefined ? this.readEnvironment(row.pid) : known.seen.environment;
  }

  readEnvironment(pid: Pid): MarkerEnvironment | null {
    const row = this.read(pid);
    return row === null ? null : (this.#own.memory.get(pid, row.startTicks)?.seen.environment ?? null);
  }

  /** Groups are not signalled here. */
  startedSinceScan(): null {
    return null;
  }

  /** The kernel does not tell files of one name apart for sure. */
  holdsOutput(): boolean {
    return false;
  }

  portsInUse(): null {
    return null;
  }

  outputs(row: ProcessRow): readonly OpenFile[] | null {
    return this.#confirmed(
      row,
      () =>
        this.#unlessSlow(row, () => readDescriptors(this.#kernel, row.pid, (fd) => fd === 1 || fd === 2))?.all.map(
          openFileOf,
        ) ?? null,
    );
  }

  facts(rows: readonly ProcessRow[]): ReadonlyMap<number, MemberFacts> {
    const facts = new Map<number, MemberFacts>();
    for (const row of rows) {
      const fact = this.#confirmed(row, () => this.#factsOf(row));
      if (fact !== null) facts.set(row.pid, fact);
    }
    return facts;
  }

  channels(): ChannelRound {
    return channelRound(this.#kernel);
  }

  #factsOf(row: ProcessRow): MemberFacts {
    const known = this.#own.memory.get(row.pid, row.startTicks);
    return readMemberFacts(this.#kernel, row.pid, {
      environment: known?.seen.environment ?? null,
      hidden: known === undefined ? 'refused' : known.seen.hidden,
      launched: known !== undefined ? this.#own.launched(known) : row.uid === this.#uid ? 'untold' : null,
      unlessSlow: (read) => this.#unlessSlow(row, read),
      shown: this.#windows.read({ rows: this.#rows.values(), complete: this.#complete, uid: this.#uid }),
    });
  }

  #unlessSlow<Fact>(row: ProcessRow, read: () => Fact): Fact | null {
    const known = this.#own.memory.get(row.pid, row.startTicks);
    return known === undefined ? read() : this.#slow.unlessSlow(known.uniqueId, read);
  }

  /** Facts of a pid count only if the pid is that process before and after. */
  #confirmed<Fact>(row: ProcessRow, read: () => Fact): Fact | null {
    const known = this.#own.memory.get(row.pid, row.startTicks);
    const isStill = (): boolean =>
      known === undefined
        ? readRow(this.#kernel, row.pid)?.startTicks === row.startTicks
        : readUniqueIds(this.#kernel, row.pid)?.uniqueId === known.uniqueId;
    if (!isStill()) return null;
    const fact = read();
    return isStill() ? fact : null;
  }

  #build(row: KernelRow, known: KnownProcess | null): ProcessRow {
    return this.#own.build(row, known, this.#rows.get(asPid(row.pid)));
  }
}
