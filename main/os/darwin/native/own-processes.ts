import type { LaunchFacts } from '../../../../app/process/facts.ts';
import { asGroupId, asKernelSessionId, asPid, type Pid } from '../../../../app/process/identity.ts';
import type { ProcessRow } from '../../../../app/process/row.ts';
import type { MarkerNames } from '../../processes/environ.ts';
import {
  askUniqueIds,
  readCoalition,
  readSession,
  readUniqueIds,
  readUsage,
  type UniqueIds,
} from '../kernel/identity.ts';
import type { DarwinKernel } from '../kernel/kernel.ts';
import type { KernelRow } from '../kernel/process-rows.ts';
import { ProcessMemory, readStable, withSignature, type KnownProcess } from './process-memory.ts';

export interface OwnProcessesOptions {
  readonly kernel: DarwinKernel;
  readonly names: MarkerNames;
  readonly uid: number;
  /** Mach ticks in a second. */
  readonly frequency: number;
  readonly launchdId: number;
}

/** The user's processes, read once each, and again when the version says exec was called. */
export class OwnProcesses {
  readonly memory = new ProcessMemory();
  readonly #kernel: DarwinKernel;
  readonly #names: MarkerNames;
  readonly #uid: number;
  readonly #frequency: number;
  readonly #launchdId: number;
  #oldest: ReadonlyMap<number, number> = new Map();

  constructor({ kernel, names, uid, frequency, launchdId }: OwnProcessesOptions) {
    this.#kernel = kernel;
    this.#names = names;
    this.#uid = uid;
    this.#frequency = frequency;
    this.#launchdId = launchdId;
  }

  /** A look has read all of this table. */
  looked(rows: ReadonlyMap<Pid, ProcessRow>): void {
    this.memory.keepOnly(rows);
    this.#oldest = this.memory.oldestIn();
  }

  launched({ coalition, uniqueId, parentUniqueId }: KnownProcess): LaunchFacts | 'untold' {
    if (coalition === null) return 'untold';
    const isOldest = (this.#oldest.get(coalition) ?? uniqueId) >= uniqueId;
    return { coalition, leads: isOldest && parentUniqueId === this.#launchdId };
  }

  /** True for a living process of the user. */
  isOwn(row: KernelRow): boolean {
    return row.uid === this.#uid && !row.kernel && row.state !== 'Z';
  }

  /** Reads what changed of a user's process, or all if new; nothing if its ids are refused. */
  update(row: KernelRow, watched: boolean): KnownProcess | 'gone' | 'refused' {
    const pid = asPid(row.pid);
    const ids = askUniqueIds(this.#kernel, pid);
    if (ids === 'refused') this.memory.forget(pid);
    if (ids === 'refused' || ids === 'gone') return ids;
    const known = this.memory.get(pid, row.startTicks);
    if (known === undefined || known.uniqueId !== ids.uniqueId) return this.#meet(row, ids);
    // What was refused once may be told now, as to a Curfew that begins now.
    if (known.seen.version !== ids.version || known.seen.unanswered === 'arguments') {
      const stable = readStable(this.#kernel, this.#names, pid, ids);
      if (stable === null) return 'gone';
      known.seen = stable.seen;
    } else if (known.seen.unanswered === 'signature') known.seen = withSignature(this.#kernel, pid, ids, known.seen);
    if (known.coalition === null) this.#askCoalition(pid, known);
    if (watched) this.#measure(pid, known);
    return known;
  }

  /** It counts only if the pid is the same process after it as before. */
  #askCoalition(pid: Pid, known: KnownProcess): void {
    const coalition = readCoalition(this.#kernel, pid);
    if (coalition !== null && readUniqueIds(this.#kernel, pid)?.uniqueId === known.uniqueId)
      known.coalition = coalition;
  }

  #meet(row: KernelRow, ids: UniqueIds): KnownProcess | 'gone' {
    const pid = asPid(row.pid);
    const coalition = readCoalition(this.#kernel, pid);
    const stable = readStable(this.#kernel, this.#names, pid, ids);
    if (stable === null || stable.ids.uniqueId !== ids.uniqueId) return 'gone';
    const known: KnownProcess = {
      startTicks: row.startTicks,
      uniqueId: ids.uniqueId,
      parentUniqueId: ids.parentUniqueId,
      coalition,
      seen: stable.seen,
      cpuMs: 0,
      rssBytes: 0,
      startUpSeconds: null,
    };
    this.#measure(pid, known);
    this.memory.add(pid, known);
    return known;
  }

  #measure(pid: Pid, known: KnownProcess): void {
    const usage = readUsage(this.#kernel, pid);
    if (usage === null) return;
    known.cpuMs = Math.round((usage.cpuTicks * 1_000) / this.#frequency);
    known.rssBytes = usage.footprintBytes;
    known.startUpSeconds ??= usage.startTicks / this.#frequency;
  }

  build(row: KernelRow, known: KnownProcess | null, before: ProcessRow | undefined): ProcessRow {
    return {
      pid: asPid(row.pid),
      ppid: asPid(row.ppid),
      pgid: asGroupId(row.pgid),
      sid: asKernelSessionId(this.#sessionOf(row, before)),
      tty: row.tty,
      state: row.state,
      startTicks: row.startTicks,
      cpuMs: known?.cpuMs ?? 0,
      rssBytes: known?.rssBytes ?? 0,
      uid: row.uid,
      comm: row.comm,
      argv: known?.seen.argv ?? [],
      kernelThread: row.kernel,
      ...(known?.startUpSeconds == null ? {} : { startUpSeconds: known.startUpSeconds }),
      ...(known === null ? {} : { numbers: { own: known.uniqueId, starter: known.parentUniqueId } }),
    };
  }

  /**
   * Asked anew when the group changed: setsid(2) makes a new one. 0 where it is not told, which
   * names no session, and is asked for again at the next look.
   */
  #sessionOf(row: KernelRow, before: ProcessRow | undefined): number {
    if (row.leadsSession) return row.pid;
    const isKnown = before !== undefined && Number(before.sid) !== 0;
    if (isKnown && before.startTicks === row.startTicks && Number(before.pgid) === row.pgid) return before.sid;
    return readSession(this.#kernel, row.pid) ?? 0;
  }
}
