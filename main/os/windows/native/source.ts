import { say } from '../../../../app/text/say.ts';
import type { ChannelRound } from '../../../../app/process/channels.ts';
import type { MarkerEnvironment, MemberFacts, OpenFile } from '../../../../app/process/facts.ts';
import { asPid, type BootId, type Pid, asBootId } from '../../../../app/process/identity.ts';
import { hasEnded, type ProcessRow } from '../../../../app/process/row.ts';
import type { ProcessTable } from '../../../../app/process/table.ts';
import type { SocketProbing } from '../../processes/probing.ts';
import { rowOr } from '../../processes/same-row.ts';
import { type Gaps, type KernelRecords, ProcessTableUnreadable, type ProcessSource } from '../../processes/source.ts';
import { blockNames } from '../kernel/environment-block.ts';
import { readHolder, readImage, readLoginSession, readParent, readTimes } from '../kernel/identity.ts';
import { accessRight, kernelPid, ntStatus, type WindowsKernel } from '../kernel/kernel.ts';
import { readPorts } from '../kernel/ports.ts';
import { TableReader, type KernelRow } from '../kernel/process-rows.ts';
import type { ProcessParameters } from '../kernel/process-parameters.ts';
import { ticksAtMs, ticksPerSecond } from '../../processes/file-time.ts';
import { presumedChannels, standardHandles } from './channels.ts';
import { fileRights, KnownProcesses } from './known-processes.ts';
import type { LivingRows } from './parentage.ts';
import { desktopsIn, outputFiles, readMemberFacts, unreadFacts, windowsShown } from './member-facts.ts';
import { portsInUse, socketProbing } from './sockets.ts';
import { relationsOf } from '../../../../app/process/tree.ts';
import { programFile } from '../kernel/command-line.ts';

/** The program that starts services, and that Wine has instead of a process of the kernel. */
const serviceProgram = 'services';

export interface Boot {
  readonly id: BootId;
  readonly ticks: number;
  /** It is the start of the kernel, when nothing had been awake yet. */
  readonly isOfKernel: boolean;
}

/**
 * Returns the boot: the start of the kernel's own process, or of what starts services.
 * @throws ProcessTableUnreadable where neither is in the table
 */
const bootOf = (rows: readonly KernelRow[]): Boot => {
  const first =
    rows.find(({ pid }) => pid === kernelPid) ?? rows.find(({ image }) => programFile(image) === serviceProgram);
  if (first === undefined) throw new ProcessTableUnreadable(say('This machine does not identify its boots.'));
  return { id: asBootId(`windows-${first.startTicks}`), ticks: first.startTicks, isOfKernel: first.pid === kernelPid };
};

/**
 * Returns the processes that may be in the console of another: what is connected with it by
 * parentage, as far as each has a console. A console is inherited; one that a process opened for
 * itself can't be told from its parent's.
 */
const consoleMatesOf = (rows: ReadonlyMap<Pid, ProcessRow>, pid: Pid): readonly ProcessRow[] => {
  const tree = relationsOf(rows);
  const found = new Set<ProcessRow>();
  const first = rows.get(asPid(pid));
  const queue = first === undefined ? [] : [first];
  for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
    if (found.has(row) || row.windows?.console !== true || row.kernelThread || hasEnded(row)) continue;
    found.add(row);
    const parent = rows.get(row.ppid);
    queue.push(...tree.children(row.pid), ...(parent === undefined ? [] : [parent]));
  }
  return [...found].filter((row) => row !== first);
};

/**
 * Returns what the clock of start times gained on the time awake since its boot, in ticks: by
 * sleep, and by being set forward. Less than none after it was set back. Null where Windows does
 * not tell the time awake.
 *
 * The time awake is the unbiased interrupt time. Interrupt time is "not subject to adjustments by
 * users or the Windows time service" (Microsoft, QueryUnbiasedInterruptTime). GetTickCount64 is no
 * measure of sleep: in a virtual machine whose host slept it stands still as well, and the clock is
 * set forward afterwards.
 * @param bootTicks when the boot began, by the clock of start times
 */
const gainedTicks = (nowTicks: number, bootTicks: number, awakeMs: number | null): number | null =>
  awakeMs === null ? null : Math.round(nowTicks - bootTicks - (awakeMs / 1_000) * ticksPerSecond);

export interface NativeSourceOptions {
  readonly kernel: WindowsKernel;
  readonly environmentNames: Iterable<string>;
  /** Stands for this user: Windows names users by SIDs. */
  readonly uid: number;
  readonly ownPid?: number;
  /** Wall clock, milliseconds; for tests. */
  readonly now?: () => number;
}

/**
 * The process table of Windows, from the kernel itself: one call for the table, a few more for each
 * process of the user that is new. No program is started.
 *
 * A process is known by its pid and its creation time (100 ns). Programs' paths come with forward
 * slashes, small letters in the file's name and without `.exe`.
 */
export class NativeSource implements ProcessSource {
  readonly name = 'ntdll';
  readonly pidNamespace = null;
  readonly cgroups = null;
  readonly refresh = null;
  readonly gaps: Gaps = { sessions: 'apparent', hidesEnvironment: () => false, unanswered: () => [] };
  readonly records: KernelRecords = { parent: (pid) => this.#recordedParent(pid), coalition: () => null };
  readonly bootId: BootId;
  readonly sockets: SocketProbing;
  readonly #kernel: WindowsKernel;
  readonly #uid: number;
  readonly #ownPid: Pid;
  readonly #now: () => number;
  readonly #boot: Boot;
  readonly #table: TableReader;
  readonly #known: KnownProcesses;
  #rows: ReadonlyMap<Pid, ProcessRow> = new Map();
  #living: LivingRows = {
    rows: new Map(),
    complete: false,
    nowTicks: 0,
    gainedTicks: null,
    maxGainedTicks: -Infinity,
  };
  /** The most that the clock gained on the time awake at a look of this boot, see `LivingRows`. */
  #maxGained: number;
  #channels: ChannelRound | null = null;
  #isProved = false;

  /** @throws ProcessTableUnreadable when Windows does not show this very process or its boot */
  constructor({ kernel, environmentNames, uid, ownPid = process.pid, now = Date.now }: NativeSourceOptions) {
    this.#kernel = kernel;
    this.#uid = uid;
    this.#ownPid = asPid(ownPid);
    this.#now = now;
    this.#table = new TableReader(kernel);
    this.sockets = socketProbing(kernel);
    const { rows } = this.#table.read();
    const own = rows.find(({ pid }) => pid === ownPid);
    const opened = own === undefined ? null : kernel.open(ownPid, accessRight.limited);
    if (own === undefined || opened?.status !== ntStatus.success)
      throw new ProcessTableUnreadable(say('Windows does not show this very process.'));
    const self = readHolder(kernel, opened.handle);
    const session = readLoginSession(kernel, opened.handle);
    kernel.close(opened.handle);
    // The kernel's own is 0 on every Windows: what is told of it elsewhere is no login session.
    const ofKernel = rows.find(({ pid }) => pid === kernelPid)?.session ?? 0;
    if (session !== own.session || ofKernel !== 0)
      throw new ProcessTableUnreadable(say('Windows does not tell in which login session this process is.'));
    if (self === null) throw new ProcessTableUnreadable(say('Windows does not tell whose this process is.'));
    this.#boot = bootOf(rows);
    this.bootId = this.#boot.id;
    this.#maxGained = this.#boot.isOfKernel ? 0 : -Infinity;
    this.#known = new KnownProcesses({
      kernel,
      names: blockNames(environmentNames),
      uid,
      self,
      session: own.session,
    });
  }

  get canReap(): boolean {
    return this.#isProved;
  }

  /** The self-check has passed on this machine: what is read may be gone by. */
  prove(): void {
    this.#isProved = true;
  }

  scan(_watched: ReadonlySet<Pid>): ProcessTable {
    const takenAtMs = this.#now();
    const { rows: found, unread } = this.#table.read();
    const nowTicks = ticksAtMs(takenAtMs);
    const gained = gainedTicks(nowTicks, this.#boot.ticks, this.#kernel.awakeMs());
    const living = {
      rows: new Map(found.map((row) => [row.pid, row])),
      complete: unread === 0,
      nowTicks,
      gainedTicks: gained,
      maxGainedTicks: this.#maxGained,
    };
    this.#maxGained = Math.max(this.#maxGained, gained ?? -Infinity);
    this.#known.look(living);
    const rows = new Map<Pid, ProcessRow>();
    for (const row of found) {
      const known = this.#known.get(row.pid, row.startTicks);
      if (known === undefined) continue;
      const built = this.#known.build(row, known, living);
      rows.set(built.pid, rowOr(this.#rows.get(built.pid), built));
    }
    if (!rows.has(this.#ownPid))
      throw new ProcessTableUnreadable(say('Windows does not show this very process, so this is not the whole table.'));
    this.#rows = rows;
    this.#living = living;
    this.#channels = null;
    return {
      bootId: this.bootId,
      takenAtMs,
      nowTicks,
      ticksPerSecond,
      suspendedTicks: gained,
      clockIsSet: true,
      uid: this.#uid,
      self: this.#ownPid,
      rows,
      complete: unread === 0,
    };
  }

  read(pid: Pid): ProcessRow | null {
    const kernel = this.#kernel;
    const { status, handle } = kernel.open(pid, accessRight.limited);
    if (status === ntStatus.noSuchProcess || status === ntStatus.invalidParameter) return null;
    if (status !== ntStatus.success) return this.#unopened(pid);
    try {
      const times = readTimes(kernel, handle);
      const parent = readParent(kernel, handle);
      const image = readImage(kernel, handle);
      if (times === null || parent === null || image === null)
        throw new ProcessTableUnreadable(say('Windows does not tell what process {pid} is.', { pid }));
      if (times.ended) return null;
      const session = readLoginSession(kernel, handle);
      const isOwn = session !== null && this.#known.isOwn(pid, times.startTicks, session);
      const before = this.#living.rows.get(pid);
      const row: KernelRow = {
        pid,
        parent,
        startTicks: times.startTicks,
        cpuMs: times.cpuMs,
        rssBytes: before?.startTicks === times.startTicks ? before.rssBytes : 0,
        session: 0,
        image: image.split('\\').at(-1) ?? '',
        ended: false,
      };
      return this.#known.buildFresh(row, isOwn, this.#livingNow());
    } finally {
      kernel.close(handle);
    }
  }

  environment(row: ProcessRow): MarkerEnvironment | null {
    const known = this.#known.get(row.pid, row.startTicks);
    return known === undefined ? this.readEnvironment(row.pid) : known.environment;
  }

  readEnvironment(pid: Pid): MarkerEnvironment | null {
    const row = this.read(pid);
    if (row === null || row.uid !== this.#uid) return null;
    const block = this.#known.parameters(pid, row.startTicks)?.environment;
    return block === undefined || block.bare ? null : block.markers;
  }

  /** False only where it is known that a process has no console. */
  hasConsole({ pid, startTicks }: Pick<ProcessRow, 'pid' | 'startTicks'>): boolean {
    return this.#known.get(pid, startTicks)?.console !== false;
  }

  consoleMates({ pid }: Pick<ProcessRow, 'pid' | 'startTicks'>): readonly ProcessRow[] {
    return consoleMatesOf(this.#rows, pid);
  }

  #recordedParent(pid: Pid): Pid | null {
    const { status, handle } = this.#kernel.open(pid, accessRight.limited);
    if (status !== ntStatus.success) return null;
    const parent = readParent(this.#kernel, handle);
    this.#kernel.close(handle);
    return parent === null ? null : asPid(parent);
  }

  startedSinceScan(): null {
    return null;
  }

  holdsOutput(): boolean {
    return false;
  }

  outputs(row: ProcessRow): readonly OpenFile[] | null {
    if (row.uid !== this.#uid) return null;
    return this.#held(row, (handle, found) => outputFiles(this.#kernel, handle, found.standard, [1, 2]));
  }

  facts(rows: readonly ProcessRow[]): ReadonlyMap<number, MemberFacts> {
    const facts = new Map<number, MemberFacts>();
    const ports = rows.length === 0 ? null : readPorts(this.#kernel);
    const shown =
      rows.length === 0 ? 'unknown' : windowsShown(this.#kernel, desktopsIn(this.#rows.values(), this.#uid));
    for (const row of rows) {
      if (row.uid !== this.#uid) continue;
      const known = this.#known.get(row.pid, row.startTicks);
      const fact = this.#held(row, (handle, found) =>
        readMemberFacts(this.#kernel, { handle, pid: row.pid, found, known, ports, shown }),
      );
      // A process of this user that can't be read is told of: there is nothing to conclude from it.
      if (fact !== null) facts.set(row.pid, fact);
      else if (!hasEnded(row)) facts.set(row.pid, unreadFacts);
    }
    return facts;
  }

  channels(): ChannelRound {
    return (this.#channels ??= presumedChannels(this.#rows, (row) =>
      row.uid === this.#uid
        ? this.#held(row, (handle, found) => standardHandles(this.#kernel, handle, found.standard))
        : null,
    ));
  }

  portsInUse(): ReadonlySet<number> {
    const used = portsInUse(readPorts(this.#kernel));
    if (used === null) throw new ProcessTableUnreadable(say('Windows does not tell which ports are in use.'));
    return used;
  }

  /** Facts of a pid count only if it is that process: it is held while they are read. */
  #held<Fact>(row: ProcessRow, read: (handle: number, found: ProcessParameters) => Fact): Fact | null {
    const found = this.#known.parameters(row.pid, row.startTicks);
    if (found === null || hasEnded(row)) return null;
    return this.#known.hold(row.pid, row.startTicks, fileRights, (handle) => read(handle, found));
  }

  /** A process that may not even be opened is another user's; the table still names it. */
  #unopened(pid: Pid): ProcessRow | null {
    const row = this.#table.read().rows.find((one) => one.pid === pid);
    if (row === undefined || row.ended) return null;
    return this.#known.buildFresh(row, false, this.#livingNow());
  }

  /** The rows of the latest look, at this moment: what began since is no start in the future. */
  #livingNow(): LivingRows {
    return { ...this.#living, nowTicks: ticksAtMs(this.#now()) };
  }
}
