import type { Pid } from '../../../../app/process/identity.ts';
import { asPid } from '../../../../app/process/identity.ts';
import type { ProcessRow } from '../../../../app/process/row.ts';
import { hasEnded } from '../../../../app/process/row.ts';
import type { ReusedPids } from './pid-cursor.ts';
import { isReusable } from './pid-cursor.ts';
import type { RowReader } from './row-reader.ts';
import type { CachedProcess } from './cached-process.ts';

/** Every process is read again after so many looks at the latest: within 150 seconds at 5 seconds between looks. */
export const rotation = 30;

/** For so long after its start a process is read at every look: between fork and exec it shows its parent's argv and environment. */
export const youngSeconds = 10;

/** What one look is told. */
export interface LookAt {
  /** All that is listed, in the order the table is to have. */
  readonly pids: Iterable<number>;
  readonly watched: ReadonlySet<Pid>;
  readonly reused: ReusedPids;
  /** The present, in ticks. */
  readonly nowTicks: number;
  readonly ticksPerSecond: number;
}

/**
 * The processes as far as they are known, brought up to date look by look. Of those known already these are read again: the watched ones;
 * young ones; those whose pid the kernel may have handed out again; those whose parent has ended (they get another parent) or whose child is new
 * (a process that starts something may just have become another program); and in rotation a thirtieth of the rest, because a process
 * may exec, change its group or its user without any of that, and because pids can be forced (CRIU, ns_last_pid).
 */
export class KnownProcesses {
  readonly #rows: Pick<RowReader, 'read'>;
  readonly #known = new Map<number, CachedProcess>();
  #table: ReadonlyMap<Pid, ProcessRow> = new Map();
  #look = 0;
  #denied = 0;
  #missed = 0;
  /** Something differs from the table; stays so when a look breaks off. */
  #changed = false;
  /** Pids of processes that have ended or are others now: their children have another parent. */
  readonly #ended = new Set<number>();
  /** Pids of processes that have new children. */
  readonly #parents = new Set<number>();

  constructor(rows: Pick<RowReader, 'read'>) {
    this.#rows = rows;
  }

  /** Rows of the last look. The same map as before when nothing in it changed. */
  get rows(): ReadonlyMap<Pid, ProcessRow> {
    return this.#table;
  }

  /** How many listed processes could not be read at the last look although they exist. */
  get denied(): number {
    return this.#denied;
  }

  /** How many were listed at the last look and had ended when they were to be read. */
  get missed(): number {
    return this.#missed;
  }

  /** What is known of a process since the last look. */
  get(pid: number): CachedProcess | undefined {
    return this.#known.get(pid);
  }

  /** Brings everything up to date. Throws ProcessTableUnreadable; then `rows` stays as it was, and the next look makes up for it. */
  update(look: LookAt): void {
    this.#look++;
    this.#denied = 0;
    this.#missed = 0;
    const newcomers = this.#mark(look.pids);
    for (const [pid, cached] of this.#known) if (cached.listedAt !== this.#look) this.#forget(pid);
    let forced = false;
    for (const pid of newcomers) {
      if (this.#read(pid)) forced ||= !isReusable(look.reused, pid);
    }
    // A new pid that could not be the next one was forced, so any other may have been.
    this.#readDue(look, forced ? { kind: 'all' } : look.reused);
    this.#readRelatives();
    if (this.#changed) this.#table = new Map(this.#inOrder(look.pids));
    this.#changed = false;
  }

  /** Marks what is still listed and returns the pids that are not known. */
  #mark(pids: Iterable<number>): readonly number[] {
    const newcomers: number[] = [];
    for (const pid of pids) {
      const cached = this.#known.get(pid);
      if (cached === undefined) newcomers.push(pid);
      else cached.listedAt = this.#look;
    }
    return newcomers;
  }

  #readDue(look: LookAt, reused: ReusedPids): void {
    const youngSince = look.nowTicks - youngSeconds * look.ticksPerSecond;
    for (const [pid, cached] of this.#known) {
      if (cached.readAt === this.#look) continue;
      const due =
        cached.row.startTicks > youngSince ||
        (pid + this.#look) % rotation === 0 ||
        look.watched.has(asPid(pid)) ||
        isReusable(reused, pid);
      if (due) this.#read(pid);
    }
  }

  #readRelatives(): void {
    if (this.#ended.size > 0 || this.#parents.size > 0) {
      for (const [pid, cached] of this.#known) {
        if (cached.readAt === this.#look) continue;
        if (this.#parents.has(pid) || this.#ended.has(cached.row.ppid)) this.#read(pid);
      }
    }
    this.#ended.clear();
    this.#parents.clear();
  }

  #forget(pid: number): void {
    if (!this.#known.delete(pid)) return;
    this.#changed = true;
    this.#ended.add(pid);
  }

  /** Reads one process; false when there is nothing to read. */
  #read(pid: number): boolean {
    const before = this.#known.get(pid);
    const reading = this.#rows.read(asPid(pid), before, this.#look);
    if (reading === 'gone' || reading === 'denied') {
      if (reading === 'denied') this.#denied++;
      else this.#missed++;
      this.#forget(pid);
      return false;
    }
    if (reading === before) return true;
    this.#changed = true;
    this.#known.set(pid, reading);
    const isNew = before === undefined || before.row.startTicks !== reading.row.startTicks;
    if (isNew) this.#parents.add(reading.row.ppid);
    if (before !== undefined && (isNew || (hasEnded(reading.row) && !hasEnded(before.row)))) this.#ended.add(pid);
    return true;
  }

  *#inOrder(pids: Iterable<number>): Generator<readonly [Pid, ProcessRow]> {
    for (const pid of pids) {
      const cached = this.#known.get(pid);
      if (cached !== undefined) yield [asPid(pid), cached.row];
    }
  }
}
