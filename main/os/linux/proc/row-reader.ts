import { statSync } from 'node:fs';
import type { Pid } from '../../../../app/process/identity.ts';
import { asGroupId, asKernelSessionId, asPid } from '../../../../app/process/identity.ts';
import type { ProcessRow } from '../../../../app/process/row.ts';
import type { KernelUnits } from './auxiliary-vector.ts';
import { argumentsOf, commandLineBytes } from './command-line.ts';
import { livingThreadOf } from './living-thread.ts';
import type { ProcReader, Refusal } from './proc-reader.ts';
import { refusalOf } from './proc-reader.ts';
import type { CachedProcess } from './cached-process.ts';
import { imageName, imageOf, sameImage } from './cached-process.ts';
import { isKernelThread, readStat, StatFields } from './stat.ts';

/** More than any stat line: 52 numbers of at most 20 digits, and a name. */
const statBytes = 2_048;

/** What reading one process gave. */
export type Reading = CachedProcess | Refusal;

/** Reads processes from /proc into rows. What did not change since an earlier scan comes back as the same row. */
export class RowReader {
  readonly #reader: ProcReader;
  readonly #units: KernelUnits;
  readonly #fields = new StatFields();
  #cut = false;

  constructor(reader: ProcReader, units: KernelUnits) {
    this.#reader = reader;
    this.#units = units;
  }

  /**
   * Reads one process. `before` is what was seen at this pid earlier, if anything; the result has its row object when everything still
   * holds, and nothing of it when the pid belongs to another process now. Throws ProcessTableUnreadable.
   */
  read(pid: Pid, before: CachedProcess | undefined, scan: number): Reading {
    const folder = `/proc/${pid}`;
    const refusal = this.#readStat(folder);
    if (refusal !== null) return refusal;
    const fields = this.#fields;
    const name = this.#reader.bytes.toString('utf8', fields.nameStart, fields.nameEnd);
    const uid = this.#owner(folder);
    if (uid === 'gone') return 'gone';
    const kept = before !== undefined && before.row.startTicks === fields.startTicks ? before : undefined;
    const text = this.#commandLine(folder, pid);
    if (text === null) return 'gone';
    return this.#asCached(pid, name, uid, text, kept, scan);
  }

  /** The start time of a pid now, in ticks; null when there is no such process or it can't be read. Throws ProcessTableUnreadable. */
  startTicks(pid: number): number | null {
    return this.#readStat(`/proc/${pid}`) === null ? this.#fields.startTicks : null;
  }

  /**
   * Names the program image of a pid by where it lies in memory, see `Image`; null where the kernel doesn't tell that, as for processes
   * that can't be traced. Throws ProcessTableUnreadable.
   */
  image(pid: number): string | null {
    if (this.#readStat(`/proc/${pid}`) !== null) return null;
    return imageName(this.#fields);
  }

  /**
   * Why nothing stands in the environment of a pid: `none`, it was started without one; `ended`, it has no memory any more; `unknown`, as in
   * the middle of an exec. Throws ProcessTableUnreadable.
   */
  emptyEnvironment(pid: number): 'none' | 'ended' | 'unknown' {
    const image = this.image(pid);
    const { envStart, envEnd, rssPages } = this.#fields;
    if (image !== null) return envStart === envEnd ? 'none' : 'unknown';
    return rssPages === 0 ? 'ended' : 'unknown';
  }

  #readStat(folder: string): Refusal | null {
    const length = this.#reader.read(`${folder}/stat`, statBytes);
    if (length === -1) return this.#reader.refusal;
    return readStat(this.#reader.bytes, length, this.#fields) ? null : 'denied';
  }

  /**
   * The effective user. The folder /proc/PID belongs to it always, while the files inside belong to root when the process isn't dumpable
   * (task_dump_owner in fs/proc/base.c), so stat on the open file would take those for root's. 2.6 microseconds; reading status takes 14.
   */
  #owner(folder: string): number | null | 'gone' {
    try {
      return statSync(folder, { throwIfNoEntry: false })?.uid ?? 'gone';
    } catch (error) {
      return refusalOf(error, folder) === 'gone' ? 'gone' : null;
    }
  }

  /** The command line as text; null when the process has gone. Empty where there is none or we may not see it: zombies, kernel threads. */
  #commandLine(folder: string, pid: number): string | null {
    this.#cut = false;
    const { state, threads } = this.#fields;
    if (state === 'Z' || state === 'X' || isKernelThread(this.#fields)) return '';
    let length = this.#reader.read(`${folder}/cmdline`, commandLineBytes);
    if (length === 0 && threads > 1) {
      const thread = livingThreadOf(pid);
      if (thread !== null) length = this.#reader.read(`${thread}/cmdline`, commandLineBytes);
    }
    if (length === -1) return this.#reader.refusal === 'gone' ? null : '';
    this.#cut = length >= commandLineBytes;
    return this.#reader.bytes.toString('utf8', 0, length);
  }

  #asCached(
    pid: Pid,
    comm: string,
    uid: number | null,
    text: string,
    kept: CachedProcess | undefined,
    scan: number,
  ): CachedProcess {
    const fields = this.#fields;
    const cpuMs = (fields.cpuTicks * 1_000) / this.#units.ticksPerSecond;
    const rssBytes = fields.rssPages * this.#units.pageBytes;
    const kernelThread = isKernelThread(fields);
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
    const row: ProcessRow = {
      pid,
      ppid: asPid(fields.ppid),
      pgid: asGroupId(fields.pgid),
      sid: asKernelSessionId(fields.sid),
      tty: fields.tty,
      state: fields.state,
      startTicks: fields.startTicks,
      cpuMs,
      rssBytes,
      uid,
      comm,
      argv: sameText ? kept.row.argv : argumentsOf(text, this.#cut),
      kernelThread,
    };
    const sameProgram = sameText && sameImage(kept.image, fields) && kept.environment !== null;
    return {
      row,
      image: sameProgram ? kept.image : imageOf(fields),
      commandLine: text,
      environment: sameProgram ? kept.environment : undefined,
      listedAt: scan,
      readAt: scan,
    };
  }
}
