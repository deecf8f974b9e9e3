import type { MarkerEnvironment } from '../../../../app/process/facts.ts';
import { type Pid, asGroupId, asKernelSessionId, asPid } from '../../../../app/process/identity.ts';
import type { ProcessRow } from '../../../../app/process/row.ts';
import { clockOffsets } from './clock.ts';
import type { CommandTexts, TextLimit } from './command-texts.ts';
import { livingThreadOf, threadsOf } from './living-thread.ts';
import type { ProcReader, Refusal } from './proc-reader.ts';
import { type KernelUnits, StatFields, isKernelThread, readStat } from './stat.ts';
import { ownerOf } from './owner.ts';
import { isStranger, readStrangers } from './strangers.ts';

/**
 * The addresses of a process's program in memory. They are randomised at each exec, so equal ones
 * mean the same program image; a forked child that has not exec'ed has its parent's. All 0 if the
 * kernel hides them.
 */
export interface Image {
  readonly stackStart: number;
  readonly argStart: number;
  readonly envStart: number;
  readonly envEnd: number;
}

export interface CachedProcess {
  /** The same object as long as neither the row nor the image changes. */
  readonly row: ProcessRow;
  readonly image: Image;
  /** The command line as read, to detect changes, and how far it was read. */
  readonly commandLine: string;
  readonly limit: TextLimit;
  /** Allow-listed environment of this image; undefined: not read; null: it could not be read. */
  environment: MarkerEnvironment | null | undefined;
  /** Number of the last scan that listed the process, and of the last scan that read it. */
  listedAt: number;
  readAt: number;
}

/** Returns whether the process still runs the program image of an earlier scan. */
const sameImage = (image: Image, fields: StatFields): boolean =>
  image.stackStart === fields.stackStart &&
  image.argStart === fields.argStart &&
  image.envStart === fields.envStart &&
  image.envEnd === fields.envEnd;

const imageOf = (fields: StatFields): Image => ({
  stackStart: fields.stackStart,
  argStart: fields.argStart,
  envStart: fields.envStart,
  envEnd: fields.envEnd,
});

/** Names a stat line's program image; null if hidden, as when it can't be traced. */
export const imageName = ({ stackStart, argStart, envStart, envEnd }: StatFields): string | null =>
  envEnd === 0 ? null : [stackStart, argStart, envStart, envEnd].map((at) => at.toString(36)).join('.');

/** More than any stat line: 52 numbers of at most 20 digits, and a name. */
const statBytes = 2_048;

export type Reading = CachedProcess | Refusal;

export type Standing = Readonly<Record<'pid' | 'ppid' | 'sid' | 'tty' | 'startTicks' | 'cpuTicks', number>>;

/** Returns the row of a process whose stat was read. */
export const rowOfStat = (
  fields: StatFields,
  { ticksPerSecond, pageBytes }: KernelUnits,
  { pid, uid, comm, argv }: Pick<ProcessRow, 'pid' | 'uid' | 'comm' | 'argv'>,
): ProcessRow => ({
  pid,
  ppid: asPid(fields.ppid),
  pgid: asGroupId(fields.pgid),
  sid: asKernelSessionId(fields.sid),
  tty: fields.tty,
  state: fields.state,
  startTicks: fields.startTicks,
  cpuMs: (fields.cpuTicks * 1_000) / ticksPerSecond,
  rssBytes: fields.rssPages * pageBytes,
  uid,
  comm,
  argv,
  kernelThread: isKernelThread(fields),
});

/** Reads processes from /proc into rows. An unchanged process keeps its row object. */
export class RowReader {
  readonly #reader: ProcReader;
  readonly #units: KernelUnits;
  readonly #texts: CommandTexts;
  readonly #fields = new StatFields();
  #cut = false;

  constructor(reader: ProcReader, units: KernelUnits, texts: CommandTexts) {
    this.#reader = reader;
    this.#units = units;
    this.#texts = texts;
  }

  /**
   * Reads one process. `before` is what an earlier scan saw at this pid; the result reuses its row
   * if it still holds, and nothing of it if the pid belongs to another process now.
   * @param asBefore how far its command line was read before, where `before` is left out
   * @throws ProcessTableUnreadable
   */
  read(pid: Pid, before: CachedProcess | undefined, scan: number, asBefore = before): Reading {
    const folder = `/proc/${pid}`;
    const refusal = this.#readStat(folder);
    if (refusal !== null) return refusal;
    const fields = this.#fields;
    const name = this.#reader.bytes.toString('utf8', fields.nameStart, fields.nameEnd);
    const uid = ownerOf(folder);
    if (uid === 'gone') return 'gone';
    const kept = before !== undefined && before.row.startTicks === fields.startTicks ? before : undefined;
    // At least as far as before, so that a row that is read again says the same.
    const now = this.#texts.limit(uid);
    const isSame = asBefore?.row.startTicks === fields.startTicks && asBefore.row.uid === uid;
    const limit = isSame && asBefore.limit.bytes > now.bytes ? asBefore.limit : now;
    const text = isStranger(uid)
      ? this.#strangersLine(pid, uid, limit.bytes, kept)
      : this.#commandLine(folder, pid, limit.bytes, kept);
    if (text === null) return 'gone';
    return this.#asCached(pid, name, uid, text, limit, kept, scan);
  }

  /**
   * Returns the start time of a pid now, in ticks; null if there is no such process or it can't be
   * read.
   * @throws ProcessTableUnreadable
   */
  startTicks(pid: number): number | null {
    return this.#readStat(`/proc/${pid}`) === null ? this.#fields.startTicks : null;
  }

  /**
   * Returns where a process stands now; null if there is no such process or it can't be read.
   * @throws ProcessTableUnreadable
   */
  standing(pid: number): Standing | null {
    if (this.#readStat(`/proc/${pid}`) !== null) return null;
    const { ppid, sid, tty, startTicks, cpuTicks } = this.#fields;
    return { pid, ppid, sid, tty, startTicks, cpuTicks };
  }

  /**
   * Returns a name for the program image of a pid by its addresses, see `Image`; null if the kernel
   * hides them, as for processes that can't be traced.
   * @throws ProcessTableUnreadable
   */
  image(pid: number): string | null {
    if (this.#readStat(`/proc/${pid}`) !== null) return null;
    return imageName(this.#fields);
  }

  /**
   * Returns why the environment of a pid is empty: `none`, it was started without one; `ended`, it
   * has no memory any more; `unknown`, as in the middle of an exec.
   * @throws ProcessTableUnreadable
   */
  emptyEnvironment(pid: number): 'none' | 'ended' | 'unknown' {
    const image = this.image(pid);
    const { envStart, envEnd, rssPages } = this.#fields;
    if (image !== null) return envStart === envEnd ? 'none' : 'unknown';
    return rssPages === 0 ? 'ended' : 'unknown';
  }

  /**
   * Returns the start of the oldest thread of a process but its first, in ticks: an exec ends all
   * of them. null: there is none, or it can't be read.
   * @throws ProcessTableUnreadable
   */
  ranSince(pid: number): number | null {
    const others = threadsOf(pid).filter((thread) => thread !== String(pid));
    const starts = others.flatMap((thread) =>
      this.#readStat(`/proc/${pid}/task/${thread}`, 'thread') === null ? this.#fields.startTicks : [],
    );
    return starts.length === 0 ? null : Math.min(...starts);
  }

  #readStat(folder: string, of: 'process' | 'thread' = 'process'): Refusal | null {
    const length = this.#reader.read(`${folder}/stat`, statBytes);
    if (length === -1) return this.#reader.refusal;
    if (!readStat(this.#reader.bytes, length, this.#fields)) return 'denied';
    if (this.#fields.isThread && of === 'process') return 'gone';
    this.#fields.startTicks -= Math.round(clockOffsets().bootSeconds * this.#units.ticksPerSecond);
    return null;
  }

  /**
   * Returns the command line as text; null if the process is gone. Empty if there is none or it is
   * hidden: zombies, kernel threads. What can't be read now is as it was.
   */
  #commandLine(folder: string, pid: number, bytes: number, kept: CachedProcess | undefined): string | null {
    this.#cut = false;
    const { threads } = this.#fields;
    if (this.#hasNone()) return '';
    let length = this.#reader.read(`${folder}/cmdline`, bytes);
    if (length === 0 && threads > 1) {
      const thread = livingThreadOf(pid);
      if (thread !== null) length = this.#reader.read(`${thread}/cmdline`, bytes);
    }
    if (length === -1) return this.#reader.refusal === 'gone' ? null : this.#lineOf(kept);
    this.#cut = length >= bytes;
    return this.#reader.bytes.toString('utf8', 0, length);
  }

  /** The same of another user's process. */
  #strangersLine(pid: number, uid: number | null, bytes: number, kept: CachedProcess | undefined): string {
    this.#cut = false;
    if (this.#hasNone()) return '';
    const length = readStrangers({ pid, uid, file: 'cmdline' }, bytes, this.#reader.bytes);
    if (length === null) return this.#lineOf(kept);
    this.#cut = length >= bytes;
    return this.#reader.bytes.toString('utf8', 0, Math.max(0, length));
  }

  #lineOf(kept: CachedProcess | undefined): string {
    return kept !== undefined && sameImage(kept.image, this.#fields) ? kept.commandLine : '';
  }

  #hasNone(): boolean {
    const { state } = this.#fields;
    return state === 'Z' || state === 'X' || isKernelThread(this.#fields);
  }

  #asCached(
    pid: Pid,
    comm: string,
    uid: number | null,
    text: string,
    limit: TextLimit,
    kept: CachedProcess | undefined,
    scan: number,
  ): CachedProcess {
    const fields = this.#fields;
    const cpuMs = (fields.cpuTicks * 1_000) / this.#units.ticksPerSecond;
    const rssBytes = fields.rssPages * this.#units.pageBytes;
    if (kept !== undefined && sameImage(kept.image, fields) && kept.commandLine === text && kept.row.comm === comm) {
      kept.listedAt = scan;
      kept.readAt = scan;
      const { row } = kept;
      if (
        row.ppid === fields.ppid &&
        row.pgid === fields.pgid &&
        row.sid === fields.sid &&
        row.tty === fields.tty &&
        row.state === fields.state &&
        row.cpuMs === cpuMs &&
        row.rssBytes === rssBytes &&
        row.uid === uid
      )
        return kept;
    }
    const sameText = kept !== undefined && kept.commandLine === text;
    const line = sameText ? null : this.#texts.once(uid, text, this.#cut, limit);
    const argv = sameText ? kept.row.argv : (line?.argv ?? []);
    const row = rowOfStat(fields, this.#units, { pid, uid, comm, argv });
    const sameProgram = sameText && sameImage(kept.image, fields) && kept.environment !== null;
    return {
      row,
      image: sameProgram ? kept.image : imageOf(fields),
      commandLine: sameText ? kept.commandLine : (line?.text ?? text),
      limit,
      environment: sameProgram ? kept.environment : undefined,
      listedAt: scan,
      readAt: scan,
    };
  }
}
